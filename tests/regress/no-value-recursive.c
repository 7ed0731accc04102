//@ check
//@ verdict true
/* An inner activation ends without a value, the outer one does not. */
static int f(int n)
{
    if (n == 0)
        goto out;
    f(n - 1);
    return n;
out:;
}
int main(void)
{
    return f(2) - 2;
}
