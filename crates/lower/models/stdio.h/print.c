/* Formatted output (C17 7.21.6, GNU, and the checked variants of glibc). */

extern void *malloc(size_t);
extern void free(void *);

int printf(const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = __vergo_print(1, format, __vergo_va_cursor(list));
    __builtin_va_end(list);
    return n;
}

int fprintf(FILE *file, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = __vergo_print(file->descriptor, format, __vergo_va_cursor(list));
    __builtin_va_end(list);
    return n;
}

int dprintf(int descriptor, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = __vergo_print(descriptor, format, __vergo_va_cursor(list));
    __builtin_va_end(list);
    return n;
}

int sprintf(char *to, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = __vergo_print_to(to, (size_t)-1 >> 1, format, __vergo_va_cursor(list));
    __builtin_va_end(list);
    return n;
}

int snprintf(char *to, size_t size, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = __vergo_print_to(to, size, format, __vergo_va_cursor(list));
    __builtin_va_end(list);
    return n;
}

int vprintf(const char *format, va_list list)
{
    return __vergo_print(1, format, __vergo_va_cursor(list));
}

int vfprintf(FILE *file, const char *format, va_list list)
{
    return __vergo_print(file->descriptor, format, __vergo_va_cursor(list));
}

int vdprintf(int descriptor, const char *format, va_list list)
{
    return __vergo_print(descriptor, format, __vergo_va_cursor(list));
}

int vsprintf(char *to, const char *format, va_list list)
{
    return __vergo_print_to(to, (size_t)-1 >> 1, format, __vergo_va_cursor(list));
}

int vsnprintf(char *to, size_t size, const char *format, va_list list)
{
    return __vergo_print_to(to, size, format, __vergo_va_cursor(list));
}

int vasprintf(char **to, const char *format, va_list list)
{
    int n = __vergo_print_to(0, 0, format, __vergo_va_cursor(list));
    if (n < 0)
        return -1;
    char *text = malloc((size_t)n + 1);
    if (text == 0)
        return -1;
    __vergo_print_to(text, (size_t)n + 1, format, __vergo_va_cursor(list));
    *to = text;
    return n;
}

int asprintf(char **to, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = vasprintf(to, format, list);
    __builtin_va_end(list);
    return n;
}

int __printf_chk(int flag, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = ((void)flag, __vergo_print(1, format, __vergo_va_cursor(list)));
    __builtin_va_end(list);
    return n;
}

int __fprintf_chk(FILE *file, int flag, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = ((void)flag, __vergo_print(file->descriptor, format, __vergo_va_cursor(list)));
    __builtin_va_end(list);
    return n;
}

int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = ((void)flag, __vergo_print_to(to, room, format, __vergo_va_cursor(list)));
    __builtin_va_end(list);
    return n;
}

int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = ((void)flag, (void)room, __vergo_print_to(to, size, format, __vergo_va_cursor(list)));
    __builtin_va_end(list);
    return n;
}

int __vprintf_chk(int flag, const char *format, va_list list)
{
    (void)flag;
    return __vergo_print(1, format, __vergo_va_cursor(list));
}

int __vfprintf_chk(FILE *file, int flag, const char *format, va_list list)
{
    (void)flag;
    return __vergo_print(file->descriptor, format, __vergo_va_cursor(list));
}

int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list list)
{
    (void)flag;
    return __vergo_print_to(to, room, format, __vergo_va_cursor(list));
}

int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list list)
{
    (void)flag, (void)room;
    return __vergo_print_to(to, size, format, __vergo_va_cursor(list));
}
