//@ check --property default --engine bmc-incremental
//@ verdict unknown
/* How long an array is that is defined elsewhere is not known. */
extern int a[];

int main(void)
{
    a[0] = 1;
    return 0;
}
