//@ property: termination
//@ verdict: false
//@ engines: portfolio
// Here the program goes on.
int main(void)
{
    unsigned rounds = 0, part = 0;
    while (1) {
        rounds = (rounds + 1) % 10;
        part = 1000 / (rounds + 1);
    }
}
