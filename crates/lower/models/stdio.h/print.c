/* Formatted output (C17 7.21.6, GNU, and the checked variants of glibc). Runs print; otherwise the format is walked for what
   it reads and stores, and for how long its text is. (Calls with a literal format do not come here.) */

extern void *malloc(size_t);
extern FILE *stdout;
extern size_t __vergo_format(char *, size_t, const char *, va_list);
extern int __VERIFIER_nondet_int(void);

static int print(int descriptor, const char *format, va_list list)
{
    if (__vergo_concrete())
        return __vergo_print(descriptor, format, __vergo_va_cursor(list));
    size_t n = __vergo_format(0, 0, format, list);
    int r = __VERIFIER_nondet_int();
    __vergo_assume(r < 0 || (size_t)r == n);
    return r;
}

/* With no limit, the room is what an object can have. */
static int print_to(char *to, size_t room, const char *format, va_list list)
{
    if (__vergo_concrete())
        return __vergo_print_to(to, room, format, __vergo_va_cursor(list));
    return (int)__vergo_format(to, room, format, list);
}

/* What does not fit into the room that the compiler has seen ends the program. */
static int print_within(char *to, size_t room, const char *format, va_list list)
{
    int n = print_to(to, (size_t)-1 >> 1, format, list);
    if ((size_t)n >= room)
        __vergo_abort();
    return n;
}

int printf(const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = print(of_moving_stream(stdout), format, list);
    __builtin_va_end(list);
    return n;
}

int fprintf(FILE *file, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = print(of_moving_stream(file), format, list);
    __builtin_va_end(list);
    return n;
}

int dprintf(int descriptor, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = print(descriptor, format, list);
    __builtin_va_end(list);
    return n;
}

int sprintf(char *to, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = print_to(to, (size_t)-1 >> 1, format, list);
    __builtin_va_end(list);
    return n;
}

int snprintf(char *to, size_t size, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = print_to(to, size, format, list);
    __builtin_va_end(list);
    return n;
}

int vprintf(const char *format, va_list list)
{
    return print(of_moving_stream(stdout), format, list);
}

int vfprintf(FILE *file, const char *format, va_list list)
{
    return print(of_moving_stream(file), format, list);
}

int vdprintf(int descriptor, const char *format, va_list list)
{
    return print(descriptor, format, list);
}

int vsprintf(char *to, const char *format, va_list list)
{
    return print_to(to, (size_t)-1 >> 1, format, list);
}

int vsnprintf(char *to, size_t size, const char *format, va_list list)
{
    return print_to(to, size, format, list);
}

int vasprintf(char **to, const char *format, va_list list)
{
    writes(to, sizeof *to);
    va_list again;
    __builtin_va_copy(again, list);
    int n = print_to(0, 0, format, again);
    __builtin_va_end(again);
    if (n < 0)
        return -1;
    char *text = malloc((size_t)n + 1);
    if (text == 0)
        return -1;
    print_to(text, (size_t)n + 1, format, list);
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
    (void)flag;
    va_list list;
    __builtin_va_start(list, format);
    int n = print(of_moving_stream(stdout), format, list);
    __builtin_va_end(list);
    return n;
}

int __fprintf_chk(FILE *file, int flag, const char *format, ...)
{
    (void)flag;
    va_list list;
    __builtin_va_start(list, format);
    int n = print(of_moving_stream(file), format, list);
    __builtin_va_end(list);
    return n;
}

int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
{
    (void)flag;
    va_list list;
    __builtin_va_start(list, format);
    int n = print_within(to, room, format, list);
    __builtin_va_end(list);
    return n;
}

int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...)
{
    (void)flag;
    if (size > room)
        __vergo_abort();
    va_list list;
    __builtin_va_start(list, format);
    int n = print_to(to, size, format, list);
    __builtin_va_end(list);
    return n;
}

int __vprintf_chk(int flag, const char *format, va_list list)
{
    (void)flag;
    return print(of_moving_stream(stdout), format, list);
}

int __vfprintf_chk(FILE *file, int flag, const char *format, va_list list)
{
    (void)flag;
    return print(of_moving_stream(file), format, list);
}

int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list list)
{
    (void)flag;
    return print_within(to, room, format, list);
}

int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list list)
{
    (void)flag;
    if (size > room)
        __vergo_abort();
    return print_to(to, size, format, list);
}
