//@ check
//@ verdict true
//@ check --property memory.read-only
//@ verdict true
static void set(int *p)
{
    *p = 2;
}
int main(void)
{
    int x = 1;
    const int *p = &x;
    set((int *)p);
    return x;
}
