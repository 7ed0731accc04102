/* Formatted input (C17 7.21.6.2, and the names that glibc's headers give it).
 *
 * A run scans what there is. Where input can be anything, each conversion gives any value of its type that has its width,
 * or fails: then the rest is not assigned. What a stream holds after a number or a word is not anything: no digit, or
 * white space. It is remembered that there is such a boundary (1 behind a number, 2 behind anything else), and characters
 * are not read across it, but for punctuation of the format behind a number. Text in memory is scanned as it is, but for
 * floats.
 */

extern FILE *stdin;
extern long long __VERIFIER_nondet_longlong(void);

/* A conversion of a format. */
struct __vergo_conversion {
    int suppressed;
    size_t width;
    /* 0, `h`, `H` for `hh`, `l`, `q` for `ll`, `L`, `j`, `z` or `t`. */
    char length;
    char kind;
    /* The characters between the brackets of a set, and whether they are excluded. */
    const char *set;
    size_t set_size;
    int excluded;
};

static int scan_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Reads the conversion behind a percent sign; gives what follows it. */
static const char *scan_conversion(const char *format, struct __vergo_conversion *to)
{
    to->suppressed = 0;
    to->width = 0;
    to->length = 0;
    to->set = 0;
    to->set_size = 0;
    to->excluded = 0;
    if (*format == '*') {
        to->suppressed = 1;
        format++;
    }
    while (*format >= '0' && *format <= '9') {
        to->width = to->width * 10 + (size_t)(*format - '0');
        format++;
    }
    char c = *format;
    if (c == 'h' || c == 'l' || c == 'L' || c == 'q' || c == 'j' || c == 'z' || c == 't') {
        to->length = c;
        format++;
        if (*format == c && c == 'h') {
            to->length = 'H';
            format++;
        } else if (*format == c && c == 'l') {
            to->length = 'q';
            format++;
        }
    }
    to->kind = *format;
    if (*format == 0)
        return format;
    format++;
    if (to->kind == '[') {
        if (*format == '^') {
            to->excluded = 1;
            format++;
        }
        to->set = format;
        if (*format == ']')
            format++;
        while (*format != 0 && *format != ']')
            format++;
        to->set_size = (size_t)(format - to->set);
        if (*format == ']')
            format++;
    }
    return format;
}

static int scan_in_set(const struct __vergo_conversion *of, char c)
{
    int found = 0;
    for (size_t i = 0; i < of->set_size; i++) {
        if (i + 2 < of->set_size && of->set[i + 1] == '-') {
            if ((unsigned char)c >= (unsigned char)of->set[i] && (unsigned char)c <= (unsigned char)of->set[i + 2])
                found = 1;
            i += 2;
        } else if (c == of->set[i])
            found = 1;
    }
    return found != of->excluded;
}

static int scan_base(char kind)
{
    return kind == 'o' ? 8 : kind == 'x' || kind == 'X' || kind == 'p' ? 16 : 10;
}

static int scan_is_integer(char kind)
{
    return kind == 'd' || kind == 'i' || kind == 'u' || kind == 'o' || kind == 'x' || kind == 'X';
}

static int scan_is_float(char kind)
{
    return kind == 'a' || kind == 'e' || kind == 'f' || kind == 'g' || kind == 'A' || kind == 'E' || kind == 'F'
        || kind == 'G';
}

static int scan_can_be_in_number(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' || c == '.'
        || c == '(' || c == ')' || c == '_';
}

/* Stores an integer as the type that the length says. */
static void scan_store(void *to, char length, long long value)
{
    if (length == 'H')
        *(signed char *)to = (signed char)value;
    else if (length == 'h')
        *(short *)to = (short)value;
    else if (length == 'l')
        *(long *)to = (long)value;
    else if (length == 'q' || length == 'L' || length == 'j')
        *(long long *)to = value;
    else if (length == 'z' || length == 't')
        *(ptrdiff_t *)to = (ptrdiff_t)value;
    else
        *(int *)to = (int)value;
}

/* The least number that so many digits cannot spell. */
static long long scan_limit(size_t digits, int base)
{
    long long limit = 1;
    for (size_t i = 0; i < digits; i++)
        limit *= base;
    return limit;
}

/* Any number that so many characters can spell, a sign among them. With `%i` they may begin with `0x`. */
static long long scan_any_integer(size_t width, char kind)
{
    long long value = __VERIFIER_nondet_longlong();
    if (width > 0 && width < 16) {
        int base = scan_base(kind);
        long long most = scan_limit(width, base), least = scan_limit(width - 1, base);
        if (kind == 'i' && width > 2 && scan_limit(width - 2, 16) > most)
            most = scan_limit(width - 2, 16);
        if (kind == 'i' && width > 3 && scan_limit(width - 3, 16) > least)
            least = scan_limit(width - 3, 16);
        __vergo_assume(value < most && value > -least);
    }
    return value;
}

/* Any word of the characters that a conversion takes. */
static void scan_any_word(char *to, const struct __vergo_conversion *of)
{
    size_t n = __VERIFIER_nondet_ulong();
    __vergo_assume(n > 0 && (of->width == 0 || n <= of->width));
    /* Where it ends is the first thing that can be outside of what there is room for. */
    to[n] = 0;
    for (size_t i = 0; i < n; i++) {
        char c = __VERIFIER_nondet_char();
        __vergo_assume(of->kind == 's' ? !scan_is_space(c) : scan_in_set(of, c));
        to[i] = c;
    }
}

/* The result when the input ends, or goes on with something else. */
static int scan_failed(FILE *file, int assigned, int may_be_other)
{
    if (may_be_other && __VERIFIER_nondet_bool()) {
        file->boundary = 2;
        return assigned;
    }
    file->eof = 1;
    return assigned > 0 ? assigned : -1;
}

static int scan_any(FILE *file, const char *format, va_list list)
{
    int assigned = 0;
    if (file->pushed >= 0)
        __vergo_unsupported("formatted input after a character was pushed back");
    if (file->eof && *format != 0)
        return -1;
    while (*format != 0) {
        char c = *format;
        format++;
        if (scan_is_space(c)) {
            file->boundary = 0;
            continue;
        }
        struct __vergo_conversion of;
        if (c == '%')
            format = scan_conversion(format, &of);
        if (c != '%' || of.kind == '%') {
            if (file->boundary == 2 || (file->boundary == 1 && scan_can_be_in_number(c)))
                __vergo_unsupported("a character of a format behind a number or a word");
            file->boundary = 0;
            if (__VERIFIER_nondet_bool())
                return scan_failed(file, assigned, 1);
            continue;
        }
        if (of.kind == 'n') {
            int n = __VERIFIER_nondet_int();
            __vergo_assume(n >= 0);
            if (!of.suppressed)
                scan_store(__builtin_va_arg(list, void *), of.length, n);
            continue;
        }
        int is_number = scan_is_integer(of.kind) || scan_is_float(of.kind);
        int is_text = of.kind == 's' || of.kind == '[' || of.kind == 'c';
        if (!(is_number || is_text) || (is_text && of.length != 0) || (scan_is_float(of.kind) && of.width > 0))
            __vergo_unsupported("this conversion of formatted input");
        if ((of.kind == 'c' || of.kind == '[') && file->boundary)
            __vergo_unsupported("characters of the input behind a number or a word");
        if (__VERIFIER_nondet_bool())
            return scan_failed(file, assigned, of.kind != 'c' && of.kind != 's');
        file->boundary = is_number ? 1 : of.kind == 'c' ? 0 : 2;
        if (of.suppressed)
            continue;
        void *to = __builtin_va_arg(list, void *);
        if (scan_is_integer(of.kind))
            scan_store(to, of.length, scan_any_integer(of.width, of.kind));
        else if (scan_is_float(of.kind) && of.length == 'l')
            *(double *)to = __VERIFIER_nondet_double();
        else if (scan_is_float(of.kind) && of.length == 'L')
            *(long double *)to = __VERIFIER_nondet_longdouble();
        else if (scan_is_float(of.kind))
            *(float *)to = __VERIFIER_nondet_float();
        else if (of.kind == 'c') {
            size_t n = of.width > 0 ? of.width : 1;
            for (size_t i = 0; i < n; i++)
                ((char *)to)[i] = __VERIFIER_nondet_char();
        } else
            scan_any_word(to, &of);
        assigned++;
    }
    return assigned;
}

/* Reads an integer from a text as `strtol` does, within a width; gives what follows it, or null if there is none. */
static const char *scan_integer(const char *s, const struct __vergo_conversion *of, long long *value)
{
    size_t left = of->width > 0 ? of->width : (size_t)-1;
    int base = scan_base(of->kind), negative = 0, digits = 0, over = 0, has_prefix = 0;
    if (*s == '-' || *s == '+') {
        negative = *s == '-';
        s++;
        left--;
    }
    if ((of->kind == 'i' || base == 16) && left > 0 && *s == '0') {
        digits = 1;
        s++;
        left--;
        if (left > 0 && (*s == 'x' || *s == 'X')) {
            base = 16;
            digits = 0;
            has_prefix = 1;
            s++;
            left--;
        } else if (of->kind == 'i')
            base = 8;
    }
    int is_wide = of->length == 'q' || of->length == 'L' || of->length == 'j';
    int is_signed = of->kind == 'd' || of->kind == 'i';
    unsigned long long all = is_wide ? (unsigned long long)-1 : (unsigned long)-1;
    unsigned long long most = is_signed ? (all >> 1) + (unsigned long long)negative : all;
    unsigned long long sum = 0;
    while (left > 0) {
        char c = *s;
        int digit = c >= '0' && c <= '9' ? c - '0'
            : c >= 'a' && c <= 'f'       ? c - 'a' + 10
            : c >= 'A' && c <= 'F'       ? c - 'A' + 10
                                         : 99;
        if (digit >= base)
            break;
        if (over || sum > (most - (unsigned long long)digit) / (unsigned long long)base)
            over = 1;
        else
            sum = sum * (unsigned long long)base + (unsigned long long)digit;
        digits = 1;
        s++;
        left--;
    }
    /* A prefix alone is no number (C17 7.21.6.2p9); glibc takes it for zero. */
    if (!digits && !(has_prefix && (__vergo_concrete() || __VERIFIER_nondet_bool())))
        return 0;
    if (over)
        sum = most;
    *value = negative && !(over && !is_signed) ? (long long)(0 - sum) : (long long)sum;
    return s;
}

static int scan_text(const char *from, const char *format, va_list list)
{
    const char *s = from;
    int assigned = 0, converted = 0;
    while (*format != 0) {
        char c = *format;
        format++;
        if (scan_is_space(c)) {
            while (scan_is_space(*s))
                s++;
            continue;
        }
        struct __vergo_conversion of;
        if (c == '%')
            format = scan_conversion(format, &of);
        if (c == '%' && of.kind != 'c' && of.kind != '[' && of.kind != 'n')
            while (scan_is_space(*s))
                s++;
        if (c != '%' || of.kind == '%') {
            if (*s != c)
                return *s == 0 && !converted ? -1 : assigned;
            s++;
            continue;
        }
        if (of.kind == 'n') {
            if (!of.suppressed)
                scan_store(__builtin_va_arg(list, void *), of.length, s - from);
            continue;
        }
        if (*s == 0)
            return converted ? assigned : -1;
        if (scan_is_integer(of.kind)) {
            long long value = 0;
            s = scan_integer(s, &of, &value);
            if (s == 0)
                return assigned;
            if (!of.suppressed)
                scan_store(__builtin_va_arg(list, void *), of.length, value);
        } else if ((of.kind == 's' || of.kind == '[' || of.kind == 'c') && of.length == 0) {
            char *to = of.suppressed ? 0 : __builtin_va_arg(list, char *);
            size_t n = 0, most = of.width > 0 ? of.width : of.kind == 'c' ? 1 : (size_t)-1;
            while (n < most && *s != 0
                && (of.kind == 'c' || (of.kind == 's' ? !scan_is_space(*s) : scan_in_set(&of, *s)))) {
                if (!of.suppressed)
                    to[n] = *s;
                s++;
                n++;
            }
            if (n == 0)
                return assigned;
            if (!of.suppressed && of.kind != 'c')
                to[n] = 0;
        } else
            __vergo_unsupported("this conversion of formatted input");
        converted = 1;
        if (!of.suppressed)
            assigned++;
    }
    return assigned;
}

static int scan_stream(FILE *file, const char *format, va_list list)
{
    takes_text(format);
    int descriptor = of_moving_stream(file);
    if (__vergo_concrete())
        return __vergo_scan(descriptor, format, __vergo_va_cursor(list));
    return scan_any(file, format, list);
}

static int scan_string(const char *from, const char *format, va_list list)
{
    takes_text(from);
    takes_text(format);
    if (__vergo_concrete())
        return __vergo_scan_from(from, format, __vergo_va_cursor(list));
    return scan_text(from, format, list);
}

int scanf(const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = scan_stream(stdin, format, list);
    __builtin_va_end(list);
    return n;
}

int fscanf(FILE *file, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = scan_stream(file, format, list);
    __builtin_va_end(list);
    return n;
}

int sscanf(const char *from, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = scan_string(from, format, list);
    __builtin_va_end(list);
    return n;
}

int vscanf(const char *format, va_list list)
{
    return scan_stream(stdin, format, list);
}

int vfscanf(FILE *file, const char *format, va_list list)
{
    return scan_stream(file, format, list);
}

int vsscanf(const char *from, const char *format, va_list list)
{
    return scan_string(from, format, list);
}

int __isoc99_scanf(const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = scan_stream(stdin, format, list);
    __builtin_va_end(list);
    return n;
}

int __isoc99_fscanf(FILE *file, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = scan_stream(file, format, list);
    __builtin_va_end(list);
    return n;
}

int __isoc99_sscanf(const char *from, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = scan_string(from, format, list);
    __builtin_va_end(list);
    return n;
}

int __isoc99_vscanf(const char *format, va_list list)
{
    return scan_stream(stdin, format, list);
}

int __isoc99_vfscanf(FILE *file, const char *format, va_list list)
{
    return scan_stream(file, format, list);
}

int __isoc99_vsscanf(const char *from, const char *format, va_list list)
{
    return scan_string(from, format, list);
}

int __isoc23_scanf(const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = scan_stream(stdin, format, list);
    __builtin_va_end(list);
    return n;
}

int __isoc23_fscanf(FILE *file, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = scan_stream(file, format, list);
    __builtin_va_end(list);
    return n;
}

int __isoc23_sscanf(const char *from, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = scan_string(from, format, list);
    __builtin_va_end(list);
    return n;
}

int __isoc23_vscanf(const char *format, va_list list)
{
    return scan_stream(stdin, format, list);
}

int __isoc23_vfscanf(FILE *file, const char *format, va_list list)
{
    return scan_stream(file, format, list);
}

int __isoc23_vsscanf(const char *from, const char *format, va_list list)
{
    return scan_string(from, format, list);
}
