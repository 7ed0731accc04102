/* Structures, unions and bit-fields as values. */
int printf(const char *, ...);
struct point { int x, y; };
struct shape { char kind; struct point p[2]; union { int i; float f; unsigned char b[4]; } u; };
struct bits { int a : 3; unsigned b : 5; int : 4; long long c : 40; _Bool d : 1; unsigned : 0; unsigned e : 31; };
struct __attribute__((packed)) packed { char c; int i; short s; unsigned f : 12; };
struct empty { };
struct flexible { int n; int data[]; };
struct nest { struct { int a; union { int b; char c; }; }; int d; };

static struct point add(struct point a, struct point b) { return (struct point){a.x + b.x, a.y + b.y}; }
static struct shape make(int k)
{
    struct shape s = {.kind = 'k', .p = {[1] = {k, k + 1}}, .u.f = 1.0f};
    return s;
}
static struct point choose(int c, struct point a, struct point b) { return c ? a : b; }
static struct flexible table = {3, {1, 2, 3}};

int main(void)
{
    struct point a = {1, 2}, b = {.y = 5, .x = 4}, c;
    c = add(a, b);
    printf("%d %d %d\n", c.x, c.y, add(c, add(a, a)).y);
    struct shape s = make(7), t;
    t = s;
    t.p[0] = a;
    printf("%c %d %d %d %x %d\n", t.kind, t.p[0].y, t.p[1].x, make(9).p[1].y, t.u.i, t.u.b[3]);
    printf("%d %d\n", choose(1, a, b).x, (0 ? a : b).x);
    struct bits f = {-1, 33, -5, 3, 0x7fffffff};
    printf("%d %u %lld %d %u\n", f.a, f.b, (long long)f.c, f.d, f.e);
    f.a++; f.a++; f.a++; f.a++; f.a += 1; f.b--; f.c *= 1000; f.d = 0; f.d--; f.e++;
    printf("%d %u %lld %d %u\n", f.a, f.b, (long long)f.c, f.d, f.e);
    printf("%d %d\n", f.a = 5, f.b = 63);
    struct packed q = {1, 0x12345678, -2, 0xabc};
    q.i += 1;
    printf("%d %x %d %x %lu\n", q.c, q.i, q.s, q.f, (unsigned long)sizeof q);
    struct empty e1 = {}, e2;
    e2 = e1;
    (void)e2;
    printf("%lu\n", (unsigned long)sizeof(struct empty));
    int sum = 0;
    for (int i = 0; i < table.n; i++) sum += table.data[i];
    printf("%d\n", sum);
    struct nest n = {{1, {2}}, 3};
    n.c = 'A';
    printf("%d %c %d\n", n.a, n.b, n.d);
    union { unsigned u; float f; } pun = {.f = -2.5f};
    printf("%x\n", pun.u);
    struct point *ps = (struct point[]){{1, 2}, {3, 4}, {5, 6}};
    ps++;
    ps->x += 10;
    printf("%d %d %d\n", ps->x, ps[1].y, (int)(&ps[1] - ps));
    struct { struct point in; } outer = {.in = add(a, b)};
    printf("%d\n", outer.in.y);
    struct point arr[3] = {[0 ... 1] = {7, 8}, [2].y = 9};
    printf("%d %d %d\n", arr[1].x, arr[2].x, arr[2].y);
    return 0;
}
