//@ property: valid-memsafety
//@ verdict: true
//@ engines: bmc-incremental portfolio
// An integer has at most eleven characters.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char text[24];
    int n = sprintf(text, "<%d>", __VERIFIER_nondet_int());
    if (n < 3)
        return text[30];
    return text[0];
}
