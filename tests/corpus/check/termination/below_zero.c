//@ property: termination
//@ verdict: true
//@ engines: portfolio
// Down to one.
int main(void)
{
    for (unsigned i = 5; i >= 1; i--)
        ;
    return 0;
}
