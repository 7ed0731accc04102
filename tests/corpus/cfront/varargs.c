// Variadic functions: va_list passed on, copied, structures and promotions.
#include <stdarg.h>
#include <stdio.h>

struct pair { int a; double b; };

static int sum(int n, ...) {
    va_list ap;
    int total = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++) total += va_arg(ap, int);
    va_end(ap);
    return total;
}

static double apply(const char *types, va_list ap) {
    double total = 0;
    for (; *types; types++)
        switch (*types) {
        case 'i': total += va_arg(ap, int); break;
        case 'd': total += va_arg(ap, double); break;
        case 'l': total += va_arg(ap, long); break;
        case 'p': { struct pair p = va_arg(ap, struct pair); total += p.a + p.b; break; }
        case 's': total += *va_arg(ap, const char *); break;
        }
    return total;
}

static double twice(const char *types, ...) {
    va_list ap, copy;
    va_start(ap, types);
    va_copy(copy, ap);
    double a = apply(types, ap), b = apply(types, copy);
    va_end(copy);
    va_end(ap);
    return a * 1000 + b;
}

static void message(const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    vprintf(format, ap);
    va_end(ap);
}

int main(void) {
    char c = -3; short s = 300; float f = 0.5f; unsigned char u = 200;
    printf("%d\n", sum(4, 1, c, s, u));
    printf("%g\n", twice("idlps", 5, 2.25, -7L, (struct pair){ 3, 0.5 }, "A"));
    message("%s %d %c %g %ld\n", "hello", c, 'x', f, (long)u);
    int (*fp)(int, ...) = sum;
    printf("%d\n", fp(2, 10, 20));
    return 0;
}
