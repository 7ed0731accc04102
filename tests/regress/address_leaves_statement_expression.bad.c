//@ check --property memory.lifetime --engine bmc-incremental
//@ verdict false
int main(void)
{
    return *({ int x = 5; &x; }) - 5;
}
