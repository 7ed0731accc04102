//@ test run
// Assembly that changes memory in unknown ways.
int main(void)
{
    int n = 1;
    __asm__ volatile("something" : : "r"(&n) : "memory");
    return n;
}
