// Conditional operator with every pair of types; omitted operands; void; commas; nested in odd places; ToBool.
#include <stdio.h>

struct s { int a; } s1 = { 1 }, s2 = { 2 }; static int calls; static int f(void) { return ++calls; } static void v(void) { calls += 10; }
static int *null(void) { return 0; } static const int ci = 6; static int i0, i5 = 5; static double d = 1.5; static char *str = "str";

int main(int argc, char **argv) {
    int t = argc > 0; unsigned u = 3; long l = -1; char c = 'c'; float fl = 0.5f; unsigned char uc = 255; _Bool b;
    printf("%zu %zu %zu %zu\n", sizeof(t ? c : c), sizeof(t ? c : l), sizeof(t ? fl : d), sizeof(t ? 1 : 'a'));
    printf("%d %d\n", (t ? -1 : u) > 0, (t ? -1 : l) > 0); printf("%g %g\n", t ? i5 : d, t ? fl : i5);
    printf("%d %d\n", *(t ? &i5 : 0), (t ? &i5 : (void *)0) == &i5); printf("%d\n", *(t ? &ci : &i5)); void *vp = t ? (void *)&i5 : str; printf("%d\n", vp == &i5);
    printf("%d\n", (t ? s1 : s2).a); t ? v() : (void)0; t ? (void)f() : v(); !t ? v() : v(); printf("%d\n", calls);
    printf("%d %d\n", f() ?: 100, i0 ?: 7); int *p = null() ?: &i5; printf("%d %s\n", *p, (char *)0 ?: "default"); printf("%ld\n", c ?: l);
    b = p; printf("%d", b); b = 0.25; printf("%d", b); b = (long)1 << 40; printf("%d", b); b = null(); printf("%d", b); b = !b; printf("%d", b); b = str != 0 && *str; printf("%d\n", b);
    printf("%d\n", t ? i0 ? 1 : i5 ? 2 : 3 : 4); printf("%d\n", (t ? i0 : i5) ? 1 : (i0, 2)); i0 = t ? i5 = 9, i5 + 1 : 0; printf("%d %d\n", i0, i5);
    int a[] = { 1, 2, 3 }; printf("%d\n", (t ? a : 0)[2]); printf("%c\n", (t ? "yes" : "no")[0]); printf("%d\n", (t ? f : (int (*)(void))0)());
    if (p) if (fl) if (l) if (!null()) printf("all\n"); while (!(calls > 60)) calls += 7; printf("%d\n", calls); do u--; while (u); printf("%u %d\n", u, !uc);
    printf("%d %d %d\n", fl && d, 0.0 || -0.0, !!p); for (p = a; p && *p < 3; p++) ; printf("%td\n", p - a); printf("%d\n", (uc ? (signed char)-1 : uc) < 0);
    switch (t ? c : l) { case 'c': printf("c\n"); } switch ((_Bool)i5) { case 1: printf("one\n"); } return argv == 0;
}
