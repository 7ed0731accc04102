//@ check
//@ verdict false(call.no-value)
//@ check --property call.no-value
//@ verdict false(call.no-value)
/* The value of a function that ended without one is used. */
static int f(int x)
{
    if (x)
        return 1;
}
int main(void)
{
    return f(0);
}
