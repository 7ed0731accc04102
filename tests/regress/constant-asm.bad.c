//@ check
//@ verdict false(memory.read-only)
int main(void)
{
    const int x = 1;
    asm("" : "=m"(*(int *)&x));
    return 0;
}
