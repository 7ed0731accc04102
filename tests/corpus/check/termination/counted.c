//@ property: termination
//@ verdict: true
//@ engines: portfolio
// A counter that is tested once.
int main(void)
{
    unsigned rounds = 0, sum = 0;
    while (1) {
        rounds++;
        sum += rounds;
        if (rounds == 1000)
            return 0;
    }
}
