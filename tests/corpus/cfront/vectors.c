// GNU vectors: arithmetic, comparison, subscripts, scalars, shuffles, conversions.
#include <stdio.h>

typedef int v4si __attribute__((vector_size(16)));
typedef float v4sf __attribute__((vector_size(16)));
typedef unsigned char v16qi __attribute__((vector_size(16)));
typedef short v8hi __attribute__((vector_size(16)));
typedef double v2df __attribute__((vector_size(16)));

static v4si global = { 1, 2, 3 };
struct holder { char c; v4si v; };
static v4si twice(v4si v) { return v + v; }
static void show(v4si v) { for (int i = 0; i < 4; i++) printf("%d ", v[i]); printf("\n"); }

int main(void) {
    v4si a = { 1, -2, 3, 4 }, b = { 10, 20, 30, 40 };
    show(a + b); show(a * b - 1); show(b / a); show(b >> 1); show(1 << a * a % 5); show(-a); show(~a); show(a < b);
    show(a == (v4si){ 1, 0, 3, 0 }); show(twice(global)); show(a & 3 | b ^ a);
    a[2] = 100; a[0]++; b[a[0] - 1] += 7;
    show(a); show(b);
    a += b; a <<= 1; show(a);
    v4sf f = { 1.5f, 2, 3, 4 }; f = f * 2.0f + 1; printf("%g %g\n", f[0], f[3]);
    show((v4si)f); show(__builtin_convertvector(f, v4si));
    show(__builtin_shuffle(a, (v4si){ 3, 2, 1, 0 })); show(__builtin_shuffle(a, b, (v4si){ 0, 4, 1, 5 }));
    v16qi q = (v16qi)a; printf("%d\n", q[0] + q[15]);
    struct holder h = { 'x', a }; h.v[1] = 0; show(h.v); printf("%zu %zu\n", sizeof h, _Alignof(v4si));
    v4si *p = &h.v; show(*p); (*p)[3] = 9; show(p[0]);
    v2df d = { 0.5 }; d = d - 0.25; printf("%g %g\n", d[0], d[1]);
    return 0;
}
