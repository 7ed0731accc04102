/* Floating numbers in text (C17 7.22.1.1, 7.22.1.3), by the formatted input that knows them. */

static int scan(const char *s, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = __vergo_scan_from(s, format, __vergo_va_cursor(list));
    __builtin_va_end(list);
    return n;
}

double strtod(const char *s, char **end)
{
    __vergo_reads(s, __vergo_text_size(s, (size_t)-1 >> 1));
    if (end != 0)
        __vergo_writes(end, sizeof *end);
    double value = 0;
    int used = 0;
    if (scan(s, "%lf%n", &value, &used) < 1) {
        value = 0;
        used = 0;
    }
    if (end != 0)
        *end = (char *)s + used;
    return value;
}

float strtof(const char *s, char **end)
{
    __vergo_reads(s, __vergo_text_size(s, (size_t)-1 >> 1));
    if (end != 0)
        __vergo_writes(end, sizeof *end);
    float value = 0;
    int used = 0;
    if (scan(s, "%f%n", &value, &used) < 1) {
        value = 0;
        used = 0;
    }
    if (end != 0)
        *end = (char *)s + used;
    return value;
}

long double strtold(const char *s, char **end)
{
    __vergo_reads(s, __vergo_text_size(s, (size_t)-1 >> 1));
    if (end != 0)
        __vergo_writes(end, sizeof *end);
    long double value = 0;
    int used = 0;
    if (scan(s, "%Lf%n", &value, &used) < 1) {
        value = 0;
        used = 0;
    }
    if (end != 0)
        *end = (char *)s + used;
    return value;
}

double atof(const char *s)
{
    return strtod(s, 0);
}
