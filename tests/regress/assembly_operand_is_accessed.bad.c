//@ property: valid-memsafety
//@ verdict: false
//@ engines: bmc-incremental
int main(void)
{
    int *p = 0;
    __asm__("" : "+r"(*p));
    return 0;
}
