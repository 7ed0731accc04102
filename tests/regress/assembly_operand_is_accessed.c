//@ check --property valid-memsafety --engine bmc-incremental
//@ verdict true
int main(void)
{
    int x = 1, *p = &x;
    __asm__("" : "+r"(*p));
    return 0;
}
