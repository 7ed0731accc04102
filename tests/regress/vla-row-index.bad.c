//@ check
//@ verdict false(memory.index)
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 5) return 0;
    int rows[n][n];
    // The first element of the second row, but none of the first.
    rows[0][n] = 1;
    return 0;
}
