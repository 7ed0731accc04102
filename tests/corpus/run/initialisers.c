/* Initialisers of static and automatic objects. */
int printf(const char *, ...);
int x = 5, y, *px = &x, *pa[3];
int a[5] = {1, 2, [4] = 5}, b[] = {[2] = 3, 4}, c[2][3] = {{1}, {4, 5, 6}};
char s[] = "text", t[3] = "abc", u[10] = {"pad"}, *v[] = {"one", "two", 0};
struct node { struct node *next; int v; } n1, n2 = {&n1, 2}, n1 = {&n2, 1};
int (*fp)(const char *, ...) = printf;
double d[] = {1, 2.5, -3e10, 1 / 3.0};
long addr = (long)&x == 0;
char *mid = &s[2], *end = s + sizeof s - 1;
struct bits { unsigned a : 4, b : 12; int c; } bf[2] = {{1, 2, 3}, {.b = 0xfff}};
static const unsigned char big[300] = {[0 ... 99] = 1, [100 ... 199] = 2, [250] = 9};
_Bool flags[] = {0, 5, 0.5};
int *lit = (int[]){10, 20, 30};
struct node *chain = &(struct node){&(struct node){0, 8}, 9};
int wide[] = L"wide";
union { int i; char c; } un = {.c = 'z'};
__int128 huge = ((__int128)1 << 100) + 7;

static int counter(void) { static int n = 3; static int *p = &n; return (*p)++; }

int main(void)
{
    printf("%d %d %d\n", x, y, *px);
    for (int i = 0; i < 5; i++) printf("%d ", a[i]);
    printf("%d %d %lu %d %d\n", b[2], b[3], sizeof b / sizeof *b, c[0][2], c[1][1]);
    printf("%s %c %s %d %s\n", s, t[2], u, u[9], v[1]);
    printf("%d %d %d\n", n1.next->v, n2.next->v, n1.next->next == &n1);
    fp("%.2f %.2f %.1e %.6f\n", d[0], d[1], d[2], d[3]);
    printf("%ld %c %d\n", addr, *mid, *end);
    printf("%u %u %d %u %d\n", bf[0].a, bf[0].b, bf[0].c, bf[1].b, bf[1].a);
    int sum = 0;
    for (int i = 0; i < 300; i++) sum += big[i];
    printf("%d %d %d %d\n", sum, flags[0], flags[1], flags[2]);
    printf("%d %d %d\n", lit[1], chain->v, chain->next->v);
    printf("%d %c %c\n", wide[3], wide[0], un.c);
    printf("%d %lu\n", (int)(huge >> 98), (unsigned long)huge);
    counter(); counter();
    printf("%d\n", counter());
    for (int k = 0; k < 2; k++) {
        int local[20] = {1, 2, 3}, m[3][2] = {{k}, {1, k}}, r[12] = {[2 ... 11] = k + 1};
        struct node l = {.v = k};
        char str[8] = "ab";
        int table[] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
        table[k]++;
        local[19] += 4; str[k] = 'x';
        printf("%d %d %d %d %d %d %d %s %d %d\n", local[1], local[19], m[0][0], m[1][1], m[2][1], r[1], r[11], str, l.next == 0, table[0] + table[1]);
        int vec[2] = {k, vec[0] + 1};
        printf("%d\n", vec[1]);
    }
    return 0;
}
