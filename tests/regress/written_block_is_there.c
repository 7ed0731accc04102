//@ property: memory.bounds
//@ verdict: true
//@ engines: bmc-incremental kind
long write(int, const void *, unsigned long);
int main(void)
{
    char block[3] = "abc";
    write(1, block, 3);
    return 0;
}
