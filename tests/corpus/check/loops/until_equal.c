//@ property: unreach-call
//@ verdict: true
//@ engines: kind portfolio
// The loop ends when the counter is one more than the limit: what follows with equations needs that from two bounds.
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void) {
    unsigned short limit = __VERIFIER_nondet_ushort();
    long long n = 0, sum = 0;
    while (n <= limit) {
        n = n + 1;
        sum = sum + n;
    }
    if (2 * sum != n * (limit + 2))
        reach_error();
    return 0;
}
