//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false
//@ check --property memory.bounds --engine kind
//@ verdict false
long write(int, const void *, unsigned long);
int main(void)
{
    char block[3] = "abc";
    write(1, block, 4);
    return 0;
}
