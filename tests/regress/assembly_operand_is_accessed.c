//@ property: valid-memsafety
//@ verdict: true
//@ engines: bmc-incremental
int main(void)
{
    int x = 1, *p = &x;
    __asm__("" : "+r"(*p));
    return 0;
}
