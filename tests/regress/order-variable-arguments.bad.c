//@ check
//@ verdict false(reach.error)
// Two arguments of a call that are taken from one list: nobody says which comes first.
extern void reach_error(void);
static int minus(int a, int b) { return a - b; }
static int apart(int n, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, n);
    int result = minus(__builtin_va_arg(list, int), __builtin_va_arg(list, int));
    __builtin_va_end(list);
    return result;
}
int main(void)
{
    if (apart(2, 5, 3) != 2)
        reach_error();
    return 0;
}
