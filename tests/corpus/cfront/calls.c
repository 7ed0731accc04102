// Calls: conversions of arguments with and without prototype, function values in expressions, many arguments, recursion.
#include <stdio.h>
#include <stdlib.h>

static double narrow(char c, short s, float f, unsigned char u, _Bool b) { return c + s * 2 + f * 3 + u * 4 + b * 5; }
static long many(int a, long b, char c, double d, float e, short f, int g, unsigned h, long i, char j) { return a + b + c + (long)d + (long)e + f + g + h + i + j; }
int old(); static int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); } static int even(unsigned); static int odd(unsigned n) { return n ? even(n - 1) : 0; }
static int even(unsigned n) { return n ? odd(n - 1) : 1; } static int apply(int (*f)(int), int x) { return (*f)(x) + f(x); }
static int sum3(const int a[3]) { return a[0] + a[1] + a[2]; } static void out(int *r, int v) { *r = v; } static int id(int x) { return x; }
static int (*pick(int n))(int) { return n ? fact : id; } static void noargs() {} static int fn_in_struct_arg(struct { int a; } *p) { return p == 0; }
struct vt { int (*m)(struct vt *, int); int k; }; static int method(struct vt *v, int x) { return v->k * x; }
static char *join(char *to, const char *a, const char *b) { char *p = to; while ((*p = *a++)) p++; while ((*p++ = *b++)) ; return to; }

int main(void) {
    printf("%g\n", narrow(300, 70000, 1, -1, 5)); printf("%g\n", narrow(1.9, 2.9, 3.9, 4.9, 0.9));
    printf("%ld\n", many(1.5, 2, 'c', 3, 4, 70000, 5u, -1, 'x', 300)); printf("%d %d\n", old(1, 2.5f, 'c'), old((short)1, 2.5, (char)'c'));
    printf("%d %d %d %d\n", fact(10), even(10), odd(7), apply(fact, 4)); int r; out(&r, 8); printf("%d %d\n", r, sum3((int[]){ 1, 2, 3 }));
    printf("%d %d\n", pick(1)(5), (*pick(0))(5)); noargs(); struct vt v = { method, 6 }; printf("%d %d\n", v.m(&v, 7), (&v)->m(&v, 2)); printf("%d\n", fn_in_struct_arg(0));
    char buffer[20]; printf("%s\n", join(buffer, "left", "right")); printf("%d\n", atoi("42") + (int)strtol("0x1f", 0, 0)); int (*table[])(int) = { fact, id, pick(0) };
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) printf("%d ", table[i](6)); printf("\n"); printf("%d\n", id(id(id((1, 2, 3))))); printf("%p\n", (void *)0);
    printf("%d %s %c %ld %lu %g %Lg %zu %td\n", (signed char)-1, "s", 'c', 1L, 2UL, 1.0f, 2.0L, sizeof(int), (char *)&r - (char *)&r); fprintf(stderr, "");
    return abs(-3) - 3;
}
int old(a, b, c) int a; double b; char c; { return a + (int)(b * 2) + c; }
