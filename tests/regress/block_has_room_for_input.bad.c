//@ check --property valid-deref --engine bmc-incremental
//@ verdict false
long read(int, void *, unsigned long);
int main(void)
{
    char block[4];
    read(0, block, 5);
    return 0;
}
