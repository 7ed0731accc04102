//@ property: memory.read-only
//@ verdict: true
//@ engines: bmc-incremental kind
int x = 1;
int main(void)
{
    *(int *)&x = 2;
    return 0;
}
