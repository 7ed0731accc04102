//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental portfolio
// The second number is read from the text behind the first.
#include <stdio.h>
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[] = "1?2";
    text[1] = __VERIFIER_nondet_char();
    int a = 0, b = 0;
    if (sscanf(text, "%d%d", &a, &b) == 2 && a == 1 && b == -2)
        reach_error();
    return 0;
}
