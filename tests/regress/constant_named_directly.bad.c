//@ check --property memory.read-only --engine bmc-incremental
//@ verdict false
//@ check --property memory.read-only --engine kind
//@ verdict false
const int x = 1;
int main(void)
{
    *(int *)&x = 2;
    return 0;
}
