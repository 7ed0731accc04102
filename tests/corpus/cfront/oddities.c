// GNU and C oddities that programs really contain.
#include <stdio.h>
#include <stddef.h>

struct self { int (*call)(struct self, int); int k; }; static int call(struct self s, int x) { return s.k + x; }
struct later make(int); struct later { int x; char tail[]; }; struct later make(int x) { return (struct later){ x }; }
int tentative[]; int tentative[5]; extern int sized[]; int use_sized(void) { return sized[2]; } int sized[3] = { 1, 2, 3 };
static int qualified(int a[const 5], const char s[restrict static 1]) { a[0]++; return a[0] + s[0]; }
static struct { int a; struct { int b[2]; } c; } old_style = { a: 1, c: { b: { 2, 3 } } };
static int ranges[8] = { [0 ... 2] = 1, [5 ... 6] = 2, [6] = 3 }; static char *strings[][2] = { { "a", "b" }, { [1] = "d" } };
struct with_assert { int a; _Static_assert(sizeof(int) == 4, "in a structure"); int b; }; union nothing {}; struct zero { int n; int none[0]; } zero = { 1, {} };
static int *const inside = &ranges[5]; static char *end = &((char *)strings)[3]; static ptrdiff_t distance = &ranges[6] - &ranges[1]; static int flag = !&ranges[0] + 5;
static int fall(int x) { int r = 0; switch (x) { case 1: r++; __attribute__((fallthrough)); case 2: r += 2; break; default:; } return r; }
static double _Complex cret(double r) { return r + 2.0i; } typedef int fn_t(int); static fn_t declared_by_typedef; static int declared_by_typedef(int x) { return x * 3; }
static int self_named(int self_named) { struct self_named { int self_named; } s = { self_named }; return s.self_named; } static int ptr_param(int (f)(int), int x) { return f(x); }
static inline int unused_label(int x) { if (x) goto out; x = 5; out: __attribute__((unused)); return x; } int arr2[2][2] = { 1, 2, 3, 4 }, (*parr)[2] = arr2 + 1;
static const struct { const char *name; int (*f)(int); } table[] = { { "triple", declared_by_typedef }, { "self", self_named }, {} };
static int evaluated; static int count(void) { return ++evaluated; } static volatile struct { unsigned v : 5; int w; } vb = { 3, 4 };

int main(int argc, char **argv, char **envp) {
    struct self s = { call, 5 }; printf("%d %d\n", s.call(s, 3), make(7).x); tentative[4] = 9; printf("%d %d %zu\n", tentative[4], use_sized(), sizeof tentative);
    int a[5] = { 1 }; printf("%d %d %d\n", qualified(a, "x"), old_style.c.b[1], ranges[6] + ranges[2]); printf("%s %d\n", strings[1][1], strings[1][0] == 0);
    printf("%d %d %td %d %zu\n", *inside, end == (char *)strings + 3, distance, flag, sizeof(union nothing)); printf("%d %d %d\n", fall(1), fall(2), fall(3));
    printf("%g %g\n", __real__ cret(1), __imag__ cret(1)); printf("%d %d %d\n", declared_by_typedef(2), self_named(4), ptr_param(self_named, 6)); printf("%d %d\n", unused_label(0), unused_label(2));
    printf("%d\n", (*parr)[1]); for (int i = 0; table[i].name; i++) printf("%s %d\n", table[i].name, table[i].f(i + 1)); int n = sizeof(count()); printf("%d %d\n", n, evaluated);
    vb.v += 30; vb.w <<= 2; printf("%d %d\n", vb.v, vb.w); { __label__ l; l: if (a[1]++ < 3) goto l; } printf("%d\n", a[1]); int x = ({ if (argc > 100) goto away; 5; }); printf("%d\n", x);
    { int vla[argc + 2]; typeof(vla) other; printf("%d\n", (int)(sizeof other / sizeof *other)); } printf("%d %d\n", &*a == a, &a[2] == 2 + a);
    return 0; away: return envp == argv;
}
