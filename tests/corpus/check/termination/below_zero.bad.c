//@ property: termination
//@ verdict: false
//@ engines: portfolio
// No unsigned number is below zero.
int main(void)
{
    for (unsigned i = 5; i >= 0; i--)
        ;
    return 0;
}
