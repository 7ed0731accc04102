//@ check --property call.argument --engine bmc-incremental
//@ verdict false
int printf(const char *, ...);
int main(void)
{
    printf("%d %ld\n", 1.0, 2L);
    return 0;
}
