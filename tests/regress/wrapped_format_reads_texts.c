//@ check --property valid-memsafety --engine bmc-incremental
//@ verdict true
#include <stdarg.h>
int vprintf(const char *, va_list);
static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}
int main(void)
{
    char text[2] = { 'a', 0 };
    say("%d %s\n", 1, text);
    return 0;
}
