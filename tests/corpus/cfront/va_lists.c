// va_list in structures, arrays, through pointers; structures and floats as variable arguments.
#include <stdarg.h>
#include <stdio.h>
struct vs { va_list ap; int n; };
static int pop(va_list *ap) { return va_arg(*ap, int); }
static int use(int n, ...) { va_list ap; va_start(ap, n); int r = pop(&ap) * 100; r += pop(&ap); va_end(ap); return r; }
static int hold(int n, ...) { struct vs s; va_start(s.ap, n); int r = va_arg(s.ap, int); r += pop(&s.ap); va_end(s.ap); return r; }
static int many(int n, ...) { va_list a[2]; va_start(a[0], n); va_copy(a[1], a[0]); int r = va_arg(a[0], int) + va_arg(a[1], int); va_end(a[0]); va_end(a[1]); return r; }
static int fwd(va_list ap) { int r = va_arg(ap, int); return r + va_arg(ap, int); }
static int via(int n, ...) { va_list ap; va_start(ap, n); int r = fwd(ap); va_end(ap); return r; }
struct big { char c[40]; long l; }; static long bigs(int n, ...) { va_list ap; va_start(ap, n); long t = 0; while (n--) t += va_arg(ap, struct big).l; va_end(ap); return t; }
static double fl(int n, ...) { va_list ap; va_start(ap, n); double d = va_arg(ap, double); d += va_arg(ap, long double); char c = va_arg(ap, int); va_end(ap); return d + c; }
int main(void) { printf("%d %d %d %d\n", use(2, 3, 4), hold(2, 5, 6), many(1, 7), via(2, 8, 9));
 struct big b = { "x", 5 }; printf("%ld %g\n", bigs(2, b, b), fl(3, 1.5f, 2.5L, 'a')); return 0; }
