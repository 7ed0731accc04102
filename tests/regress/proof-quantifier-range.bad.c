//@ check --function harness --property user.assert --engine bmc --unwind 1
//@ verdict false(user.assert)
// What is assumed of a range is assumed of all of it, whatever the bound of loops is.
void harness(void) {
    unsigned char a[40];
    unsigned n, k;
    __CPROVER_assume(n <= 40);
    __CPROVER_assume(__CPROVER_forall { unsigned i; (0 <= i && i < n) ==> a[i] < 10 });
    if (k < n)
        __CPROVER_assert(a[k] < 9, "the range of every element");
}
