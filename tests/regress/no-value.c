//@ check
//@ verdict true
static int f(int x)
{
    if (x)
        return 1;
}
static int g(int n)
{
    for (;;)
        if (n++ > 3)
            return n;
}
static int h(int n)
{
    return n == 0 ? 0 : 1 + h(n - 1);
}
int main(void)
{
    f(0);
    (void)f(0);
    return f(1) + g(1) + h(2) == 0;
}
