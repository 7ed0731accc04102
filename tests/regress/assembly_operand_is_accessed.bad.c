//@ check --property valid-memsafety --engine bmc-incremental
//@ verdict false
int main(void)
{
    int *p = 0;
    __asm__("" : "+r"(*p));
    return 0;
}
