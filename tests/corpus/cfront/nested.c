/* Nested functions: captured variables, declarations before the definition, jumps out. */
int printf(const char *, ...);

static int apply(int (*f)(int), int x)
{
    return f(x);
}

static int search(const int *a, int n, int wanted)
{
    __label__ found;
    int at = -1;
    auto void check(int);
    void all(void)
    {
        for (int i = 0; i < n; i++)
            check(i);
    }
    void check(int i)
    {
        static int checks;
        checks++;
        if (a[i] == wanted) {
            at = i + 100 * checks;
            goto found;
        }
    }
    all();
    return -1;
found:
    return at;
}

int main(void)
{
    int count = 10, values[] = { 4, 8, 15, 16 };
    int add(int x)
    {
        int twice(int y) { return y * 2 + count; }
        count += x;
        return apply(twice, x);
    }
    {
        int count = 3;
        int add(int x) { return x + count; }
        printf("%d\n", apply(add, 4));
    }
    printf("%d\n", apply(add, 5));
    printf("%d\n", count);
    printf("%d\n", search(values, 4, 15));
    printf("%d\n", search(values, 4, 23));
    return 0;
}
