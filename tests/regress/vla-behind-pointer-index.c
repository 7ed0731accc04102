//@ check
//@ verdict true
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 3) return 0;
    int rows[n][n];
    int (*row)[n] = rows;
    (*row)[n - 1] = 1;
    return 0;
}
