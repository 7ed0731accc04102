//@ check --property memory.null --engine bmc-incremental
//@ verdict false
//@ check --property memory.null --engine kind
//@ verdict false
struct pair { int a, b; };
int main(void)
{
    struct pair *p = 0;
    *p;
    return 0;
}
