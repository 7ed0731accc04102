/* Complex numbers. */
int printf(const char *, ...);
typedef _Complex double cd;
typedef _Complex float cf;
static void show(cd z) { printf("(%g,%g) ", __real__ z, __imag__ z); }
static cd square(cd z) { return z * z; }
cd global = 3.0 + 4.0i, table[2] = {1.0, 2.0i};

int main(void)
{
    cd a = 1.0 + 2.0i, b = 3.0 - 1.0i;
    show(a + b); show(a - b); show(a * b); show(a / b); show(-a); show(~a);
    printf("\n");
    show(square(a)); show(2 * a); show(a * 2); show(a / 2); show(1 + a); show(a - 1); show(1 - a);
    printf("\n%d %d %d %d\n", a == b, a != b, !a, a && b);
    cf f = a; f *= b; show(f); f += 1; show(f);
    __real__ f = 9; __imag__ f += 1; show(f);
    f++; show(f);
    a /= b; show(a);
    printf("\n");
    show(global); show(table[1] * table[1]); show(1 ? a : b);
    double r = a; int i = b; _Bool t = 1.0i;
    printf("%g %d %d\n", r, i, t);
    double inf = __builtin_inf();
    cd big = __builtin_complex(inf, 1.0);
    cd prod = big * (2.0 + 3.0i);
    printf("%d %d\n", __builtin_isinf(__real__ prod) != 0, __builtin_isnan(__real__ (big * 0.0)) != 0);
    _Complex long double l = 1.0L + 1.0Li; l *= l; show(l);
    printf("%lu %lu\n", sizeof(cf), sizeof(cd));
    return 0;
}
