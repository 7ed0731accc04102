//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental kind portfolio sampling
// For one limit the counter begins at one, and the end is as ever but the sum is not.
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void) {
    unsigned short limit = __VERIFIER_nondet_ushort();
    long long n = 0, sum = 0;
    if (limit == 7)
        n = 1;
    while (n <= limit) {
        n = n + 1;
        sum = sum + n;
    }
    if (2 * sum != n * (limit + 2))
        reach_error();
    return 0;
}
