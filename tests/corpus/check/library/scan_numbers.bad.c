//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental portfolio
// A number may be any number, and it may be missing.
#include <stdio.h>
extern void reach_error(void);

int main(void) {
    int a = 5, b = 7, n;
    n = scanf("%2d,%d", &a, &b);
    if (n == 1 && a == -9 && b == 7)
        reach_error();
    return 0;
}
