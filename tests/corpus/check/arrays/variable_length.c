//@ property: unreach-call
//@ verdict: true
//@ engines: kind portfolio
// An array of any length; if the stack has no room for it, nothing happens.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    int number[n];
    for (int i = 0; i < n; i++)
        number[i] = i;
    for (int i = 0; i < n; i++)
        if (number[i] != i)
            reach_error();
    return 0;
}
