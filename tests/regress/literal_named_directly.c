//@ check --property default --engine bmc-incremental
//@ verdict true
int main(void)
{
    *(char[]){ "abc" } = 'x';
    return 0;
}
