//@ check --property memory.read-only --engine bmc-incremental
//@ verdict true
//@ check --property memory.read-only --engine kind
//@ verdict true
int x = 1;
int main(void)
{
    *(int *)&x = 2;
    return 0;
}
