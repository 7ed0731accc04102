// inline in every combination with extern and static.
#include <stdio.h>

static inline int a(int x) { return x + 1; }
extern inline int b(int x) { return x + 2; }
inline int c(int x) { return x + 3; }
extern int c(int);
int d(int);
inline int d(int x) { return x + 4; }
extern inline __attribute__((gnu_inline)) int abs(int x) { return x < 0 ? -x : x; }
inline __attribute__((gnu_inline)) int e(int x) { return x + 5; }
static int f(int);
static inline int f(int x) { static int n; return x + ++n; }
inline int g(int x) { return x + 6; }
int g(int x);

int main(void) {
    int (*p)(int) = abs, (*q)(int) = c;
    printf("%d %d %d %d %d %d %d\n", a(1), b(1), c(1), d(1), e(1), f(1), g(1));
    printf("%d %d %d\n", p(-7), q(1), abs(-3));
    return f(1) - 3;
}
