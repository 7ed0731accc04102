//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental portfolio
// A flag says of two arrays that they are equal, whatever comes before the last element.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int left[5000], right[5000];

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 5000)
        return 0;
    for (int i = 0; i < n; i++) {
        left[i] = __VERIFIER_nondet_int();
        right[i] = __VERIFIER_nondet_int();
    }
    int same = 1;
    for (int i = 0; i < n; i++)
        if (left[i] != right[i])
            same = i < n - 1;
    if (same)
        for (int i = 0; i < n; i++)
            if (left[i] != right[i])
                reach_error();
    return 0;
}
