//@ check
//@ verdict true
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 3) return 0;
    int rows[n][n];
    rows[0][n - 1] = 1;
    rows[n - 1][0] = 2;
    int *end = &rows[0][n];
    return end - rows[0] != n;
}
