/* Formatted input (C17 7.21.6, and the names that glibc's headers give it). */

int scanf(const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = __vergo_scan(0, format, __vergo_va_cursor(list));
    __builtin_va_end(list);
    return n;
}

int fscanf(FILE *file, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = __vergo_scan(file->descriptor, format, __vergo_va_cursor(list));
    __builtin_va_end(list);
    return n;
}

int sscanf(const char *from, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = __vergo_scan_from(from, format, __vergo_va_cursor(list));
    __builtin_va_end(list);
    return n;
}

int vscanf(const char *format, va_list list)
{
    return __vergo_scan(0, format, __vergo_va_cursor(list));
}

int vfscanf(FILE *file, const char *format, va_list list)
{
    return __vergo_scan(file->descriptor, format, __vergo_va_cursor(list));
}

int vsscanf(const char *from, const char *format, va_list list)
{
    return __vergo_scan_from(from, format, __vergo_va_cursor(list));
}

int __isoc99_scanf(const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = __vergo_scan(0, format, __vergo_va_cursor(list));
    __builtin_va_end(list);
    return n;
}

int __isoc99_fscanf(FILE *file, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = __vergo_scan(file->descriptor, format, __vergo_va_cursor(list));
    __builtin_va_end(list);
    return n;
}

int __isoc99_sscanf(const char *from, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = __vergo_scan_from(from, format, __vergo_va_cursor(list));
    __builtin_va_end(list);
    return n;
}

int __isoc99_vscanf(const char *format, va_list list)
{
    return __vergo_scan(0, format, __vergo_va_cursor(list));
}

int __isoc99_vfscanf(FILE *file, const char *format, va_list list)
{
    return __vergo_scan(file->descriptor, format, __vergo_va_cursor(list));
}

int __isoc99_vsscanf(const char *from, const char *format, va_list list)
{
    return __vergo_scan_from(from, format, __vergo_va_cursor(list));
}

int __isoc23_scanf(const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = __vergo_scan(0, format, __vergo_va_cursor(list));
    __builtin_va_end(list);
    return n;
}

int __isoc23_fscanf(FILE *file, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = __vergo_scan(file->descriptor, format, __vergo_va_cursor(list));
    __builtin_va_end(list);
    return n;
}

int __isoc23_sscanf(const char *from, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = __vergo_scan_from(from, format, __vergo_va_cursor(list));
    __builtin_va_end(list);
    return n;
}

int __isoc23_vscanf(const char *format, va_list list)
{
    return __vergo_scan(0, format, __vergo_va_cursor(list));
}

int __isoc23_vfscanf(FILE *file, const char *format, va_list list)
{
    return __vergo_scan(file->descriptor, format, __vergo_va_cursor(list));
}

int __isoc23_vsscanf(const char *from, const char *format, va_list list)
{
    return __vergo_scan_from(from, format, __vergo_va_cursor(list));
}
