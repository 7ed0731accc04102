//@ property: call.argument
//@ verdict: true
//@ engines: bmc-incremental
int printf(const char *, ...);
int main(void)
{
    printf("%d %ld\n", 1, 2L);
    return 0;
}
