//@ check
//@ verdict false(memory.null)
#include <stdarg.h>
static int f(int n, ...) { va_list l; va_start(l, n); va_end(l); return va_arg(l, int); }
int main(void) { return f(1, 0); }
