//@ property: unreach-call
//@ verdict: true
//@ engines: bmc-incremental portfolio
// Numbers from outside are any numbers that their width allows, and what is not assigned keeps its value.
#include <stdio.h>
extern void reach_error(void);

int main(void) {
    int a = 5, b = 7, n;
    unsigned char small = 1;
    n = scanf("%2d,%d %hhu", &a, &b, &small);
    if (n < -1 || n > 3)
        reach_error();
    if (a > 99 || a < -9)
        reach_error();
    if (n < 2 && b != 7)
        reach_error();
    if (n < 1 && a != 5)
        reach_error();
    if (n == -1 && scanf("%d", &b) != -1)
        reach_error();
    return small;
}
