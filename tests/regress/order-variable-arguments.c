//@ check
//@ verdict true
extern void reach_error(void);
static int plus(int a, int b) { return a + b; }
static int sum(int n, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, n);
    int result = plus(__builtin_va_arg(list, int), __builtin_va_arg(list, int));
    int third = __builtin_va_arg(list, int), fourth = __builtin_va_arg(list, int);
    __builtin_va_end(list);
    return result + 10 * third + 100 * fourth;
}
int main(void)
{
    if (sum(4, 5, 3, 1, 2) != 218)
        reach_error();
    return 0;
}
