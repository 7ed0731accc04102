/* The order of evaluation that Vergo fixes is the one that gcc uses. */
int printf(const char *, ...);

int x = 1, i = 1, a[4] = {1, 2, 3, 4};
int *p = &x;
struct { int m; } s = {1};

int f(void) { x = 10; a[1] = 20; i = 2; s.m = 10; p = &a[3]; return 1; }
int g(int v) { printf("g%d ", v); return v; }
int *gp(int v) { printf("p%d ", v); return a + v; }

int main(void)
{
    x = 1; printf("%d\n", x + f());
    x = 1; printf("%d\n", f() + x);
    x = 1; printf("%d\n", x - f());
    x = 1; printf("%d\n", x * f());
    x = 1; printf("%d\n", x < f());
    x = 1; printf("%d\n", x == f());
    a[1] = 2; i = 1; printf("%d\n", a[1] + f());
    a[1] = 2; i = 1; printf("%d\n", a[i] + f());
    s.m = 1; printf("%d\n", s.m + f());
    x = 1; p = &x; printf("%d\n", *p + f());
    x = 1; printf("%d\n", (x + 1) + f());
    x = 1; x += f(); printf("%d\n", x);
    x = 1; x -= f(); printf("%d\n", x);
    a[1] = 2; a[1] += f(); printf("%d\n", a[1]);
    i = 1; a[1] = 2; a[2] = 3; a[i] = f(); printf("%d %d\n", a[1], a[2]);
    i = 1; a[1] = 2; a[2] = 3; a[i] += f(); printf("%d %d\n", a[1], a[2]);
    p = &x; x = 5; a[3] = 4; *p = f(); printf("%d %d\n", x, a[3]);
    s.m = 1; s.m += f(); printf("%d\n", s.m);
    *gp(0) = g(1); printf("\n");
    *gp(0) += g(1); printf("\n");
    printf("%d %d\n", g(1), g(2));
    printf("%d\n", g(1) + g(2));
    printf("%d\n", g(1) < g(2));
    printf("%d\n", gp(0)[g(1)]);
    { int l = 1; l = l + ({ l = 5; 3; }); printf("%d\n", l); }
    { long y = 1; x = 1; y = x + (long)f(); printf("%ld\n", y); }
    x = 1; printf("%d %d\n", x, f());
    x = 1; printf("%d %d\n", f(), x);
    { i = 1; int r[3] = {i, f(), i}; printf("%d %d %d\n", r[0], r[1], r[2]); }
    { int k = 0; int r = k++ ? g(1) : (g(2), g(3)); printf("%d %d\n", r, k); }
    { int k = 3; printf("%d\n", (k = 4, k + 1) * 2); }
    { int k = 0; if (k && g(9)) k = 5; if (!k || g(8)) k++; printf("%d\n", k); }
    { int n = 0; (n++, n) || g(7); (n--, n) && g(6); printf("%d\n", n); }
    int l[8] = {0}, *lp = l, k;
    a[g(1)] = g(2); printf("\n");
    a[g(1)] = g(2) + 1; printf("\n");
    l[g(1)] = g(2); printf("\n");
    *gp(1) = g(2) + 1; printf("\n");
    gp(0)[g(3)] = g(2) + 1; printf("\n");
    lp[g(1)] = g(2) + 1; printf("\n");
    a[g(1)] = a[g(2)]; printf("\n");
    i = 1; a[1] = a[2] = 0; a[i] = (i = 2, 7); printf("%d %d\n", a[1], a[2]);
    k = 1; l[1] = l[3] = 0; l[k] = (k = 3) + 7; printf("%d %d\n", l[1], l[3]);
    a[g(1)] += g(2) + 1; printf("\n");
    a[g(1)] = a[g(2)] = g(3); printf("\n");
    a[g(0)] = (g(1), g(2)); printf("\n");
    a[g(0)] = g(1) ? g(2) : g(3); printf("\n");
    a[g(0)] = g(1) && g(2); printf("\n");
    a[g(0)] = *gp(2); printf("\n");
    a[g(0)] = ++a[g(1)]; printf("\n");
    a[g(0)] = ({ g(1); g(2); }); printf("\n");
    return 0;
}
