//@ property: memory.null
//@ verdict: false
//@ engines: bmc-incremental kind
struct pair { int a, b; };
int main(void)
{
    struct pair *p = 0;
    *p;
    return 0;
}
