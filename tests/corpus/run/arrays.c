/* Arrays of constant and variable length, pointers to arrays, `alloca`. */
int printf(const char *, ...);
static int sum(int n, int m, int a[n][m]) { int t = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) t += a[i][j]; return t; }
static int last(int n, int (*a)[n], int rows) { return (*(a + rows - 1))[n - 1] + (int)(&a[rows] - a); }
static int trace(int a[static 2][2]) { return a[0][0] + a[1][1]; }
int grid[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};

int main(void)
{
    int n = 3, m = 4;
    printf("%d %d %d\n", sum(3, 4, grid), last(4, grid, 3), grid[1][2]);
    int v[n][m], w[n + 1];
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) v[i][j] = i * j;
    for (int i = 0; i <= n; i++) w[i] = i;
    printf("%d %d %lu %lu %lu\n", sum(n, m, v), w[n], (unsigned long)sizeof v, (unsigned long)sizeof v[0], (unsigned long)sizeof w);
    n = 100;
    printf("%lu %d\n", (unsigned long)sizeof w, v[2][3]);
    int (*row)[m] = v;
    row++; (*row)[1] = 50; row += 1;
    printf("%d %ld %d\n", v[1][1], (long)(row - v), row[-1][1]);
    typedef int T[m]; m = 9; T t; printf("%lu\n", (unsigned long)sizeof t);
    int (*p)[4] = grid, *q = grid[1];
    printf("%d %d %d %d\n", p[2][1], *(*(p + 1) + 3), q[-1], (int)(&grid[2][1] - &grid[0][0]));
    char *s = __builtin_alloca(8); for (int i = 0; i < 8; i++) s[i] = 'a' + i; s[7] = 0; printf("%s\n", s);
    printf("%d %c %c\n", trace((int[2][2]){{1, 2}, {3, 4}}), "index"[2], 3["back"]);
    int cube[2][3][4]; int *f = &cube[0][0][0];
    for (int i = 0; i < 24; i++) f[i] = i;
    printf("%d %d\n", cube[1][2][3], cube[1][0][1]);
    int k = 5, z[k][2][k]; z[4][1][4] = 3; printf("%d %lu\n", z[4][1][4], (unsigned long)sizeof z);
    int x[5], *e = x; *e++ = 1; *e++ = 2; *(e += 2) = 9; printf("%d %d %d\n", x[1], x[4], (int)(e - x));
    return 0;
}
