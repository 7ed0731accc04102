//@ check --data-model ILP32
//@ verdict unknown
//@ check --data-model ILP32 --malloc-may-fail
//@ verdict false(memory.null)
/* Where allocation does not fail, no counterexample rests on one that is too large. */
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0)
        return 0;
    char *p = malloc(n);
    p[0] = 1;
    free(p);
    return 0;
}
