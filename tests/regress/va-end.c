//@ check
//@ verdict true
#include <stdarg.h>
static int f(int n, ...) { va_list l; va_start(l, n); int x = va_arg(l, int); va_end(l); va_start(l, n); x += va_arg(l, int); va_end(l); return x; }
int main(void) { return f(1, 0); }
