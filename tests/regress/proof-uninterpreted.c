//@ check --property user.assert
//@ verdict true
int __CPROVER_uninterpreted_f(int, int, int);
int main(void) {
    int a, b, c;
    __CPROVER_assume(a == b);
    __CPROVER_assert(__CPROVER_uninterpreted_f(a, b, c) == __CPROVER_uninterpreted_f(b, a, c), "a function");
    return 0;
}
