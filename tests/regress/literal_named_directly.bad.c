//@ property: default
//@ verdict: false
//@ engines: bmc-incremental
int main(void)
{
    *"abc" = 'x';
    return 0;
}
