//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental portfolio
// An array that has perhaps no element; the first one is not set.
#include <stdlib.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);

int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n > 1000)
        return 0;
    int *elements = malloc(n * sizeof *elements);
    for (unsigned long i = 1; i < n; i++)
        elements[i] = 7;
    for (unsigned long i = 0; i < n; i++)
        if (elements[i] != 7)
            reach_error();
    return 0;
}
