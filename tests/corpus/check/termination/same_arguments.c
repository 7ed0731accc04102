//@ property: termination
//@ verdict: true
//@ engines: portfolio
// Calls with the same arguments, one after the other.
int twice(int n) {
    if (n == 0)
        return 0;
    return twice(n - 1) + twice(n - 1);
}
int main(void) {
    return twice(4) + twice(4);
}
