//@ check
//@ verdict false(memory.read-only)
//@ check --property memory.read-only
//@ verdict false(memory.read-only)
/* A constant object is written through a pointer. */
static void set(int *p)
{
    *p = 2;
}
int main(void)
{
    const int x = 1;
    set((int *)&x);
    return x;
}
