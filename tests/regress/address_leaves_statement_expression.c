//@ check --property memory.lifetime --engine bmc-incremental
//@ verdict true
int main(void)
{
    int x = 5;
    return *({ &x; }) - 5;
}
