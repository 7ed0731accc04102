//@ property: termination
//@ verdict: false
//@ engines: portfolio
// The state is in a variable of a function that is called.
int turn;
int goes_on(void) {
    static int n = 9;
    turn = !turn;
    n = 10 - n;
    return n > 0;
}
int main(void) {
    while (goes_on())
        ;
    return turn;
}
