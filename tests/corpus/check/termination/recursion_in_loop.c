//@ property: termination
//@ verdict: true
//@ engines: portfolio
// A loop around a recursion: the result is any number, the counter counts.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int depth(int n) { return n <= 0 ? 0 : 1 + depth(n / 2); }
int main(void) {
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum ^= depth(i);
    return sum;
}
