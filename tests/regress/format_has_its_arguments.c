//@ check --property default --engine bmc-incremental
//@ verdict true
int printf(const char *, ...);
int main(void)
{
    printf("%d %ld %f %c\n", 1, 2L, 3.0, 'x');
    return 0;
}
