//@ check
//@ verdict false(memory.read-only)
//@ check --property memory.read-only
//@ verdict false(memory.read-only)
/* An automatic object that is constant is written by name. */
int main(void)
{
    const int x = 1;
    *(int *)&x = 2;
    return x;
}
