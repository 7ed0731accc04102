/* Formatted output of wide characters (C17 7.29.2): the same conversions as those of bytes, with the format made narrow.
   (Calls with a literal format whose length nobody looks at do not come here.) */

extern FILE *stdout;
extern int vprintf(const char *, va_list);
extern int vfprintf(FILE *, const char *, va_list);
extern int vsnprintf(char *, size_t, const char *, va_list);

enum { MOST = 512 };

static void narrow(char *to, const int *from)
{
    size_t i = 0;
    do {
        if (i == MOST || from[i] < 0 || from[i] > 127)
            __vergo_unsupported("a long wide format, or one beyond ASCII");
        to[i] = (char)from[i];
    } while (from[i++] != 0);
}

int vwprintf(const int *format, va_list list)
{
    char bytes[MOST];
    narrow(bytes, format);
    return vprintf(bytes, list);
}

int vfwprintf(FILE *file, const int *format, va_list list)
{
    char bytes[MOST];
    narrow(bytes, format);
    return vfprintf(file, bytes, list);
}

/* A text that does not fit is an error, and what of it is stored is open. */
int vswprintf(int *to, size_t room, const int *format, va_list list)
{
    char bytes[MOST], text[MOST];
    narrow(bytes, format);
    int n = vsnprintf(text, MOST, bytes, list);
    if (n >= MOST)
        __vergo_unsupported("a long wide text");
    _Bool fits = (size_t)n < room;
    for (size_t i = 0; i < room && i <= (size_t)n; i++)
        to[i] = fits ? (unsigned char)text[i] : __VERIFIER_nondet_int();
    return fits ? n : -1;
}

int wprintf(const int *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = vwprintf(format, list);
    __builtin_va_end(list);
    return n;
}

int fwprintf(FILE *file, const int *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = vfwprintf(file, format, list);
    __builtin_va_end(list);
    return n;
}

int swprintf(int *to, size_t room, const int *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = vswprintf(to, room, format, list);
    __builtin_va_end(list);
    return n;
}
