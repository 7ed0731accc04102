// Loops and conditions in odd shapes; dangling else; comma; empty statements; evaluation order that C fixes.
#include <stdio.h>

static int log_[32], n_log;
static int note(int v) { log_[n_log++] = v; return v; }
static int dangling(int a, int b) { if (a) if (b) return 1; else return 2; return 3; }
static int dangling2(int a, int b) { if (a) { if (b) return 1; } else return 2; return 3; }
static int loops(int n) {
    int t = 0;
    for (;;) { if (n-- <= 0) break; if (n == 2) continue; t += n; }
    for (int i = 0, j = 10; i < j; i++, j--) t += i * j;
    do t++; while (t % 7);
    while (t > 100) t -= 13;
    int k; for (k = 0; k < 5; ++k); t += k;
    for (int i = 0, *p = &i; *p < 3; ++*p) t += *p;
    do { if (t & 1) continue; t++; } while (0);
    return t;
}
static int ladder(int x) { if (x < 0) return -1; else if (x == 0) return 0; else if (x < 10) return 1; else return 2; }
static void nothing(void) { ; ; { } return; }

int main(void) {
    printf("%d %d %d %d\n", dangling(1, 0), dangling(0, 1), dangling2(1, 0), dangling2(0, 0));
    printf("%d %d %d %d %d\n", loops(5), ladder(-5), ladder(0), ladder(5), ladder(50));
    note(0) && note(1); note(2) || note(3); note(0) || note(4) && note(5); note(6) ? note(7) : note(8); (note(9), note(10)); !note(11) && note(12);
    for (int i = 0; i < n_log; i++) printf("%d ", log_[i]);
    int a = 1, b = 2, c; c = (a++, b += a, a * b); printf("\n%d %d %d\n", a, b, c);
    a = b = c = 4; a += b -= c *= 2; printf("%d %d %d\n", a, b, c);
    printf("%d %d %d\n", a ? b ? 1 : 2 : 3, a < b == b > a, -a - -b - - c);
    printf("%d\n", a & 1 ? b : c ? 5 : 6); nothing(); if (a); else; { int a = 9; { int b = a; c = b; } } printf("%d\n", c);
    int x = 3; x = x++ * 0 + x; if (!(x & 2) == 0 && ~x | 1) printf("ok\n"); int y = (x > 2) + (x < 2) * 2; printf("%d\n", y);
    unsigned i = 3; while (i --> 0) printf("%u", i); printf("\n"); printf("%d\n", sizeof(char) == 1 ? 1, 2 : 3);
    return a == 12345;
}
