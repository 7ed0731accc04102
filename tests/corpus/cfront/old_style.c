// K&R definitions, implicit int, implicit declarations, functions without prototype.
#include <stdio.h>

static mix(c, s, f, d, p) char c; short s; float f; double d; char *p; {
    printf("%d %d %g %g %s\n", c, s, f, d, p);
    return c + s;
}
float half();
static global_int = 5;
register_it(x) register x; { return x * 2; }
int defaulted(a, b) { return a + b; }
float half(x) float x; { return x / 2; }
arrays(a, n) int a[]; { int t = 0; while (n--) t += a[n]; return t; }
int (*pointer())() { return register_it; }

main(argc, argv) int argc; char **argv; {
    auto local = 3;
    int a[] = { 1, 2, 3 };
    printf("%d\n", mix('a', 300, 1.5f, 2.5, "text") + global_int);
    printf("%d %d %g\n", register_it(21), defaulted(1, 2), half(3.0));
    printf("%d %d %d\n", arrays(a, 3), pointer()(5), argc > 0);
    printf("%d\n", later(local, 2.5));
    return 0;
}
int later(x, y) double y; { return x + (int)y; }
