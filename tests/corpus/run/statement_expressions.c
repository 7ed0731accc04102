/* Statement expressions, conditionals with omitted operand, typeof, nested functions of macros. */
int printf(const char *, ...);
static int calls;
static int f(int x) { calls++; return x; }

int main(void)
{
    int m = ({ __typeof__(f(3)) a = f(3), b = f(9); a > b ? a : b; });
    printf("%d %d\n", m, calls);
    printf("%d %d %d\n", f(0) ?: 5, f(7) ?: f(8), calls);
    int total = 0;
    for (int i = 0; i < 5; i++) total += ({ if (i == 3) break; int sq = i * i; sq; });
    printf("%d\n", total);
    int r = ({ int k = 0; loop: if (k < 4) { k++; goto loop; } k; });
    printf("%d\n", r);
    struct p { int x, y; } v = ({ struct p t = {1, 2}; t.y = 8; t; });
    printf("%d %d\n", v.y, ({ v; }).x);
    int a[3] = {1, 2, 3};
    int *q = ({ a; });
    printf("%d\n", q[2]);
    ({ printf("void\n"); (void)0; });
    int i = 1, j = 2;
    ({ i; }) + ({ j++; });
    printf("%d\n", j);
    while (({ int go = i < 4; i++; go; })) printf("%d ", i);
    printf("\n");
    char buffer[({ 4; })];
    printf("%lu\n", (unsigned long)sizeof buffer);
    i = 5;
    int n = i++ > 5 ? i : i < 0 ? -1 : f(i) + ({ int z = i; z * 2; });
    printf("%d\n", n);
    return 0;
}
