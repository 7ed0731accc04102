//@ property: termination
//@ verdict: false
//@ engines: portfolio
// The loop changes a variable of the call around it, which has the same name as one of its own.
int f(int *p, int inner) {
    int x = 5;
    if (!inner)
        return f(&x, 1);
    while (*p > 0)
        *p = 6 - *p;
    return x;
}
int main(void) {
    return f(0, 0);
}
