//@ property: valid-deref
//@ verdict: false
//@ engines: bmc-incremental
long read(int, void *, unsigned long);
int main(void)
{
    char block[4];
    read(0, block, 5);
    return 0;
}
