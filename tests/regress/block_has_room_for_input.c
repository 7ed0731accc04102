//@ check --property valid-deref --engine bmc-incremental
//@ verdict true
long read(int, void *, unsigned long);
int main(void)
{
    char block[4];
    read(0, block, 4);
    return 0;
}
