//@ property: memory.null
//@ verdict: true
//@ engines: bmc-incremental kind
struct pair { int a, b; } one;
int main(void)
{
    struct pair *p = &one;
    *p;
    return 0;
}
