//@ property: memory.read-only
//@ verdict: false
//@ engines: bmc-incremental kind
const int x = 1;
int main(void)
{
    *(int *)&x = 2;
    return 0;
}
