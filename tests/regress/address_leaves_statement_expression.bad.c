//@ property: memory.lifetime
//@ verdict: false
//@ engines: bmc-incremental
int main(void)
{
    return *({ int x = 5; &x; }) - 5;
}
