//@ check
//@ verdict false(memory.read-only)
//@ check --property memory.read-only
//@ verdict false(memory.read-only)
static int f(const int x)
{
    *(int *)&x = 2;
    return x;
}
int main(void)
{
    return f(3);
}
