//@ check
//@ verdict true
#include <stdarg.h>
static int count(const char *first, ...) {
    va_list list;
    va_start(list, first);
    int n = 0;
    for (const char *s = first; s; s = va_arg(list, const char *))
        n++;
    va_end(list);
    return n;
}
int main(void) { return count("a", "b", (char *)0) != 2; }
