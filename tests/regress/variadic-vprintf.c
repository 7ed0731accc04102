//@ check
//@ verdict true
#include <stdarg.h>
#include <stdio.h>
static void say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}
int main(void) { say("%d\n", 1); return 0; }
