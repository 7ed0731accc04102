//@ check --property user.assert
//@ verdict true
//@ not-assumed memory.bounds
//@ not-assumed memory.null
//@ not-assumed arith.signed-overflow
#include <assert.h>
int a[4], b;
int main(void) { a[3] = 1; assert(b == 0); return 0; }
