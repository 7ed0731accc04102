//@ test dump --at c
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
typedef unsigned long word;
enum kind { SMALL = 1, LARGE = 1000 };
struct point { int x, y; struct { char tag; } inner; };
static struct point origin = { .y = 2, .inner = { 'o' } };
static int twice(int n) { return n << 1; }
int (*operation)(int) = twice;

word measure(struct point p, enum kind k, const char *text)
{
    static word calls;
    word total = LARGER(p.x, p.y);
    for (int i = 0; text[i]; i++) {
        switch (k) {
        case SMALL: total += operation(text[i]); break;
        case LARGE: if (i > 3) goto out; /* fall through */
        default: total ^= 0xffu;
        }
    }
out:
    calls++;
    return total + ({ int t = p.x; t * t; }) + origin.y;
}
