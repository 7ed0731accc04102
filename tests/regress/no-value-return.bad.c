//@ check
//@ verdict false(call.no-value)
static int f(int x)
{
    if (x)
        return 1;
    return;
}
int main(void)
{
    int y = f(0) + 1;
    return y > 5;
}
