//@ check --property user.assert
//@ verdict true
//@ assumed memory.bounds
//@ check --property user.assert,memory.bounds
//@ verdict false(memory.bounds)
//@ not-assumed memory.bounds
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int a[4], b;
int main(void) { a[__VERIFIER_nondet_int()] = 1; assert(b == 0); return 0; }
