//@ property: call.argument
//@ verdict: false
//@ engines: bmc-incremental
int printf(const char *, ...);
int main(void)
{
    printf("%d %ld\n", 1.0, 2L);
    return 0;
}
