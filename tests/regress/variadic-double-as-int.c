//@ check
//@ verdict true
#include <stdarg.h>
static int sum(int n, ...) {
    va_list list;
    va_start(list, n);
    int total = 0;
    while (n-- > 0)
        total += va_arg(list, int) & 1;
    total += va_arg(list, double) > 1.0;
    total += *va_arg(list, char *) == 'x';
    va_end(list);
    return total;
}
int main(void) { return sum(2, 1, 2u, 2.0f, (void *)"x") != 3; }
