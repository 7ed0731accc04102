// Qualifiers in every position; volatile accesses stay; const objects; restrict.
#include <stdio.h>

volatile int device = 1; const volatile int status = 2; volatile struct { int a; volatile int b[2]; } regs = { 1, { 2, 3 } };
const char *const names[] = { "a", "b" }; char *const *const volatile indirect = (char *const *)names; int *volatile vp; volatile int *pv = &device;
static void copy(int n, int *restrict a, const int *restrict b) { while (n--) *a++ = *b++; }
static int read_twice(volatile int *p) { return *p + *p; }
static const int limit = 10; typedef const int cint; typedef int array[2]; static const array pair = { 4, 5 };
struct cs { const int c; volatile int v; int *const p; };
static volatile int counter(void) { return 3; }

int main(void) {
    device; (void)device; device = device; device++; regs.b[1] += device; vp = (int *)pv; *vp += 1; *pv *= 2;
    int a[3], b[3] = { 1, 2, 3 }; copy(3, a, b);
    printf("%d %d %d %d %s %s\n", device, status, regs.b[1], a[2], names[1], indirect[0]);
    cint c = limit; const int *p = &c; int *q = (int *)p; printf("%d %d %d\n", *p, *q, pair[1]);
    struct cs s = { 1, 2, q }; s.v += s.c; *s.p; printf("%d %d\n", s.v, *s.p); const struct cs *ps = &s; printf("%d\n", ps->v + *ps->p);
    printf("%d %d\n", read_twice(&device), counter()); const void *cv = &s; printf("%d\n", ((const struct cs *)cv)->c);
    for (volatile int i = 0; i < 3; i++) ; volatile double d = 0.1; printf("%d\n", d == 0.1); d += 1; printf("%g\n", d);
    const char (*pa)[2] = (const char (*)[2])"xyz"; printf("%c\n", (*pa)[1]); volatile unsigned char vc = 255; vc++; printf("%d\n", vc);
    return 0;
}
