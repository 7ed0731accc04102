//@ property: memory.lifetime
//@ verdict: true
//@ engines: bmc-incremental
int main(void)
{
    int x = 5;
    return *({ &x; }) - 5;
}
