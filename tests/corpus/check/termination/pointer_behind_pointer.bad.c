//@ property: termination
//@ verdict: false
//@ engines: portfolio
// The state is reached through a pointer that is reached through another one.
int main(void) {
    int x = 4;
    int *p = &x, **q = &p;
    while (**q > 0)
        **q = 5 - **q;
}
