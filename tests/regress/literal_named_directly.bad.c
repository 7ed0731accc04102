//@ check --property default --engine bmc-incremental
//@ verdict false
int main(void)
{
    *"abc" = 'x';
    return 0;
}
