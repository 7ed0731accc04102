//@ property: unreach-call
//@ verdict: true
//@ engines: bmc-incremental portfolio
// Text in memory is scanned as it is.
#include <stdio.h>
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char digit = __VERIFIER_nondet_char();
    if (digit < '0' || digit > '9')
        return 0;
    char text[] = "12 -x7f:_ key";
    text[1] = digit;
    int a = 0, n = 0;
    unsigned b = 0;
    char name[8] = "";
    if (sscanf(text, "%d -x%x:%*c %7s%n", &a, &b, name, &n) != 3)
        reach_error();
    if (a < 10 || a > 19 || a != 10 + (digit - '0'))
        reach_error();
    if (b != 0x7f || name[0] != 'k' || name[3] != 0 || n != 13)
        reach_error();
    if (sscanf("", "%d", &a) != -1 || sscanf("x", "%d", &a) != 0 || sscanf("99999999999999999999", "%ld", (long *)&text) != 1)
        reach_error();
    return 0;
}
