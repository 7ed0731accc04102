//@ check
//@ verdict false(call.argument)
// A double is taken as an int.
#include <stdarg.h>
static int sum(int n, ...) {
    va_list list;
    va_start(list, n);
    int total = 0;
    while (n-- > 0)
        total += va_arg(list, int) & 1;
    va_end(list);
    return total;
}
int main(void) { return sum(2, 1, 2.0) < 0; }
