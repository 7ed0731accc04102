//@ check --property default --engine bmc-incremental
//@ verdict false
int printf(const char *, ...);
int main(void)
{
    printf("%d %ld %f %c\n", 1, 2L, 3.0);
    return 0;
}
