/* Functions in blocks (GNU C): captured variables, pointers to them, recursion, jumps out of them. */
int printf(const char *, ...);
typedef __typeof__(sizeof 0) size_t;
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));

static int apply(int (*f)(int), int x)
{
    return f(x);
}

static int captures(int n)
{
    int count = 0, squares[n];
    int add(int k)
    {
        count += k;
        squares[k % n] = k * k;
        return count;
    }
    for (int i = 0; i < n; i++)
        squares[i] = 0;
    add(3);
    apply(add, 4);
    int deep(int d)
    {
        int inner(int e)
        {
            count++;
            return e + d + n;
        }
        return d == 0 ? inner(1) : deep(d - 1) + apply(inner, d);
    }
    int sum = deep(3);
    printf("%d %d %d %d\n", sum, count, squares[3 % n], (int)sizeof squares);
    return add == add && deep(0) == 1 + n;
}

/* Each activation has functions of its own: Knuth's test of a man or a boy. */
static int man(int k, int (*a)(void), int (*b)(void), int (*c)(void), int (*d)(void), int (*e)(void))
{
    int self(void)
    {
        k--;
        return man(k, self, a, b, c, d);
    }
    return k <= 0 ? d() + e() : self();
}

static int one(void) { return 1; }
static int minus_one(void) { return -1; }
static int zero(void) { return 0; }

static int find(const int *a, int n, int wanted)
{
    __label__ found;
    int where = -1, tried = 0;
    void check(int i)
    {
        tried++;
        if (a[i] == wanted) {
            where = i;
            goto found;
        }
    }
    void check_all(int i)
    {
        if (i < n) {
            check(i);
            check_all(i + 1);
        }
    }
    check_all(0);
    printf("not among %d\n", tried);
    return -1;
found:
    printf("found after %d\n", tried);
    return where;
}

static int by_address(int n)
{
    __label__ even, odd;
    void *target(int k)
    {
        return k % 2 ? &&odd : &&even;
    }
    goto *target(n);
even:
    return 10;
odd:
    return 11;
}

static int in_loop(void)
{
    int total = 0;
    for (int i = 0; i < 4; i++) {
        int twice = 2 * i;
        int value(void) { return twice + i; }
        twice++;
        total += value();
    }
    return total;
}

static int old_style(a, b)
    int a;
    short b;
{
    int f(x, y)
        char x;
        int y;
    {
        return a * x + b * y;
    }
    return f(2, 3);
}

static int variadic(int n, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, n);
    int next(void) { return __builtin_va_arg(list, int); }
    int sum = 0;
    while (n-- > 0)
        sum = 10 * sum + next();
    __builtin_va_end(list);
    return sum;
}

int main(void)
{
    printf("%d\n", captures(5));
    printf("%d\n", man(8, one, minus_one, minus_one, one, zero));
    int a[] = { 5, 3, 9, 1 };
    int calls = 0;
    int compare(const void *x, const void *y)
    {
        static int statics;
        statics++;
        calls = statics;
        return *(const int *)x - *(const int *)y;
    }
    printf("%d\n", find(a, 4, 9));
    printf("%d\n", find(a, 4, 7));
    qsort(a, 4, sizeof *a, compare);
    printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], calls > 0);
    auto int later(int);
    int early(int x) { return later(x) + 1; }
    int later(int x) { return x * 2; }
    printf("%d %d %d %d\n", early(20), by_address(4), by_address(7), in_loop());
    printf("%d %d\n", old_style(3, 4), variadic(3, 1, 2, 3));
}
