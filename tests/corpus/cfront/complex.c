// Complex numbers.
#include <complex.h>
#include <stdio.h>

static void show(double complex z) { printf("%g %g\n", creal(z), cimag(z)); }
static double complex square(double complex z) { return z * z; }
double complex global = 1.5 + 2.5 * I;
struct holder { float complex f; int n; };

int main(void) {
    double complex a = 3.0 + 4.0 * I, b = 1.0 - 2.0 * I;
    show(a + b); show(a - b); show(a * b); show(a / b); show(-a); show(~a); show(square(a)); show(global);
    show(2 * a); show(a + 1); show(1 / a); show(conj(b));
    printf("%d %d %g %g\n", a == b, a != b, __real__ a, __imag__ b);
    __real__ a = 10; __imag__ a += 5;
    show(a);
    float complex f = a; f *= 2; show(f);
    struct holder h = { 1.0f + 2.0fi, 3 };
    h.f += h.n;
    show(h.f);
    a += 1.5; a *= b; a /= 2; show(a);
    double r = (double)a; int i = a; printf("%g %d %d\n", r, i, a ? 1 : 0);
    long double complex l = 1.0L + 1.0Li; printf("%Lg\n", creall(l * l) + cimagl(l * l));
    double complex array[2] = { 1, 2.0i }; show(array[1] * array[1]);
    show((i ? a : b) + (i, array[0]));
    return 0;
}
