//@ property: default
//@ verdict: true
//@ engines: bmc-incremental
int main(void)
{
    *(char[]){ "abc" } = 'x';
    return 0;
}
