//@ check --property memory.null --engine bmc-incremental
//@ verdict true
//@ check --property memory.null --engine kind
//@ verdict true
struct pair { int a, b; } one;
int main(void)
{
    struct pair *p = &one;
    *p;
    return 0;
}
