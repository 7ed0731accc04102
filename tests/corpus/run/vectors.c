/* GNU vectors. */
int printf(const char *, ...);
typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char b8 __attribute__((vector_size(8)));
static void show(v4 v) { for (int i = 0; i < 4; i++) printf("%d ", v[i]); printf("\n"); }
static v4 twice(v4 v) { return v + v; }
v4 global = {1, 2, 3};

int main(void)
{
    v4 a = {1, 2, 3, 4}, b = {10, 20, 30, 40}, c;
    show(a + b); show(b / a); show(a * 3); show(b % 7); show(-a); show(~a); show(a << 1); show(b >> a);
    show(a < (v4){2, 2, 2, 2}); show(a == b);
    c = a; c[2] = 99; c += 1; show(c); show(twice(c)); show(global);
    show(__builtin_shuffle(a, (v4){3, 2, 1, 0})); show(__builtin_shuffle(a, b, (v4){0, 4, 1, 5}));
    f4 f = {1.5f, 2.5f, -1.5f, 0}; f = f * f - 1;
    for (int i = 0; i < 4; i++) printf("%g ", f[i]);
    printf("\n");
    show(__builtin_convertvector(f, v4));
    b8 u = {250, 251, 252}; u += 10; printf("%d %d %d %d\n", u[0], u[1], u[2], u[3]);
    v4 bits = (v4)(f4){1, 2, 4, 8}; show(bits);
    int i = 2; a[i]++; a[i] *= 5; printf("%d\n", a[i]);
    return 0;
}
