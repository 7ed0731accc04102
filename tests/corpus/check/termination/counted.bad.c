//@ property: termination
//@ verdict: false
//@ engines: portfolio
// A counter that nobody tests: the loop goes on for ever, though no two rounds have the same number.
int main(void)
{
    unsigned rounds = 0, sum = 0;
    while (1) {
        rounds++;
        sum += rounds;
    }
}
