//@ check --function harness --property user.assert,call.type
//@ verdict false(user.assert)
typedef unsigned long size_t;
void harness(void) {
    size_t n;
    __CPROVER_assume(n < 100);
    size_t wide = twice(n + 0x100000000);
    __CPROVER_assert(wide == 2 * n + 0x700000000, "the result is an int");
}
unsigned long twice(unsigned n) { return n * 2ul + 0x700000000; }
