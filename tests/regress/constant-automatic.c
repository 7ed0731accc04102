//@ check
//@ verdict true
//@ check --property memory.read-only
//@ verdict true
/* Constant objects get their values in each round, and others are written through pointers to constants. */
extern int __VERIFIER_nondet_int(void);
struct pair { int a, b; };
static struct pair made(void)
{
    struct pair p = {1, 2};
    return p;
}
static int sum(const int x, const struct pair p)
{
    return x + p.b;
}
int main(void)
{
    int n = __VERIFIER_nondet_int(), y = 1, total = 0;
    if (n < 0 || n > 3)
        return 0;
    for (int i = 0; i < n; i++) {
        const int x = i;
        const int a[20] = {[2 ... 15] = i};
        const struct pair p = made(), q = {.b = x};
        const char text[] = "abc";
        const int *last = (const int[]){1, 2, i};
        total += sum(x, p) + a[3] + q.b + text[1] + last[2];
    }
    *(int *)(const int *)&y = 4;
    return total + y == -1;
}
