//@ check --property call.argument --engine bmc-incremental
//@ verdict true
int printf(const char *, ...);
int main(void)
{
    printf("%d %ld\n", 1, 2L);
    return 0;
}
