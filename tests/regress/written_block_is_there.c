//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
//@ check --property memory.bounds --engine kind
//@ verdict true
long write(int, const void *, unsigned long);
int main(void)
{
    char block[3] = "abc";
    write(1, block, 3);
    return 0;
}
