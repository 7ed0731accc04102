/* The text of a format (C17 7.21.6.1), piece by piece, into memory as far as there is room. Calls with a format that is a
   literal are made of these pieces; other formats are walked. The room counts the end of the text, which comes last; each
   function takes the length so far and gives the new one, whether there was room or not. */

extern void *memcpy(void *, const void *, size_t);
extern ssize_t __vergo_print_float(char *, size_t, int, int, double);
extern ssize_t __vergo_print_float_long(char *, size_t, int, int, long double);

/* Flags of a conversion. */
enum { LEFT = 1, ZERO = 2, PLUS = 256, SPACE = 512, ALTERNATIVE = 1024 };

static size_t put(char *to, size_t room, size_t n, char c)
{
    if (room > 0 && n < room - 1)
        to[n] = c;
    return n + 1;
}

static size_t put_many(char *to, size_t room, size_t n, char c, size_t count)
{
    if (room == 0)
        return n + count;
    for (size_t i = 0; i < count; i++)
        n = put(to, room, n, c);
    return n;
}

static size_t put_bytes(char *to, size_t room, size_t n, const char *s, size_t count)
{
    if (room > 0 && n < room - 1)
        memcpy(to + n, s, count < room - 1 - n ? count : room - 1 - n);
    return n + count;
}

static size_t padding(int width, size_t length)
{
    return width > 0 && (size_t)width > length ? (size_t)width - length : 0;
}

/* What ends a text. */
void __vergo_put_end(char *to, size_t room, size_t n)
{
    if (room > 0)
        to[n < room ? n : room - 1] = 0;
}

/* `%s`, and what stands between conversions: at most so many characters. */
size_t __vergo_put_text(char *to, size_t room, size_t n, const char *s, size_t limit, int flags, int width)
{
    size_t length = __vergo_text_size(s, limit);
    __vergo_reads(s, length);
    if (length > 0 && s[length - 1] == 0)
        length--;
    size_t pad = padding(width, length);
    if (!(flags & LEFT))
        n = put_many(to, room, n, ' ', pad);
    n = put_bytes(to, room, n, s, length);
    if (flags & LEFT)
        n = put_many(to, room, n, ' ', pad);
    return n;
}

size_t __vergo_put_char(char *to, size_t room, size_t n, int c, int flags, int width)
{
    size_t pad = padding(width, 1);
    if (!(flags & LEFT))
        n = put_many(to, room, n, ' ', pad);
    n = put(to, room, n, (char)c);
    if (flags & LEFT)
        n = put_many(to, room, n, ' ', pad);
    return n;
}

/* What the "C" locale makes of a wide character: the byte that ASCII has for it. Others are an error there, and several bytes elsewhere. */
static char byte_of(int c)
{
    if (c < 0 || c > 127)
        __vergo_unsupported("a wide character beyond ASCII as text");
    return (char)c;
}

/* `%lc` */
size_t __vergo_put_wide_char(char *to, size_t room, size_t n, int c, int flags, int width)
{
    return __vergo_put_char(to, room, n, byte_of(c), flags, width);
}

/* The length of a wide text, of which no more than so many characters are read. */
size_t __vergo_wide_length(const int *s, size_t limit)
{
    size_t length = 0;
    while (length < limit && s[length] != 0)
        length++;
    return length;
}

/* `%ls` */
size_t __vergo_put_wide_text(char *to, size_t room, size_t n, const int *s, size_t limit, int flags, int width)
{
    size_t length = __vergo_wide_length(s, limit), pad = padding(width, length);
    if (!(flags & LEFT))
        n = put_many(to, room, n, ' ', pad);
    for (size_t i = 0; i < length; i++)
        n = put(to, room, n, byte_of(s[i]));
    if (flags & LEFT)
        n = put_many(to, room, n, ' ', pad);
    return n;
}

/* An integer by one of the conversions `d`, `u`, `o`, `x`, `X`; a negative precision is none. */
size_t __vergo_put_integer(
    char *to, size_t room, size_t n, unsigned long long value, char kind, int narrow, int flags, int width, int precision)
{
    int negative = kind == 'd' && (long long)value < 0;
    if (negative)
        value = 0 - value;
    unsigned base = kind == 'o' ? 8 : kind == 'x' || kind == 'X' ? 16 : 10;
    const char *symbols = kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    /* How many digits there are is seen by comparing, which is simpler than dividing. */
    size_t digits = value == 0 && precision == 0 ? 0 : 1;
    size_t most = narrow ? (base == 10 ? 10 : base == 8 ? 11 : 8) : (base == 10 ? 20 : base == 8 ? 22 : 16);
    unsigned long long power = 1;
    while (digits > 0 && digits < most && value >= power * base) {
        power *= base;
        digits++;
    }
    size_t zeros = precision > 0 && (size_t)precision > digits ? (size_t)precision - digits : 0;
    if (kind == 'o' && (flags & ALTERNATIVE) && zeros == 0 && (value != 0 || digits == 0))
        zeros = 1;
    int prefix = base == 16 && (flags & ALTERNATIVE) && value != 0;
    char sign = negative ? '-' : kind != 'd' ? 0 : flags & PLUS ? '+' : flags & SPACE ? ' ' : 0;
    size_t pad = padding(width, (sign != 0) + (size_t)prefix * 2 + zeros + digits);
    if ((flags & ZERO) && !(flags & LEFT) && precision < 0) {
        zeros += pad;
        pad = 0;
    }
    if (!(flags & LEFT))
        n = put_many(to, room, n, ' ', pad);
    if (sign != 0)
        n = put(to, room, n, sign);
    if (prefix) {
        n = put(to, room, n, '0');
        n = put(to, room, n, kind);
    }
    n = put_many(to, room, n, '0', zeros);
    n += digits;
    if (room > 0) {
        /* From the last on, so that only constants divide. */
        power = 1;
        for (size_t i = 0; i < digits; i++) {
            unsigned digit = narrow ? (unsigned)value / (unsigned)power % base : (unsigned)(value / power % base);
            put(to, room, n - 1 - i, symbols[digit]);
            if (i + 1 < digits)
                power *= base;
        }
    }
    if (flags & LEFT)
        n = put_many(to, room, n, ' ', pad);
    return n;
}

/* The text of a number in a field. */
static size_t put_number(char *to, size_t room, size_t n, const char *text, size_t length, char kind, int flags, int width)
{
    size_t pad = padding(width, length), head = 0;
    if ((flags & ZERO) && !(flags & LEFT) && pad > 0) {
        if (text[0] == '-' || text[0] == '+' || text[0] == ' ')
            head = 1;
        if (kind == 'a' || kind == 'A')
            head += 2;
        char first = text[head];
        if (first == 'i' || first == 'n' || first == 'I' || first == 'N') {
            n = put_many(to, room, n, ' ', pad);
        } else {
            n = put_bytes(to, room, n, text, head);
            n = put_many(to, room, n, '0', pad);
            return put_bytes(to, room, n, text + head, length - head);
        }
    } else if (!(flags & LEFT))
        n = put_many(to, room, n, ' ', pad);
    n = put_bytes(to, room, n, text, length);
    if (flags & LEFT)
        n = put_many(to, room, n, ' ', pad);
    return n;
}

/* A `double` by one of the conversions `a`, `e`, `f`, `g` and their capitals. */
size_t __vergo_put_float(char *to, size_t room, size_t n, double value, char kind, int flags, int width, int precision)
{
    char text[512];
    if (precision > 150)
        __vergo_unsupported("a floating-point number with many digits as text");
    ssize_t length = __vergo_print_float(text, sizeof text, kind | (flags & (PLUS | SPACE | ALTERNATIVE)), precision, value);
    return put_number(to, room, n, text, (size_t)length, kind, flags, width);
}

size_t __vergo_put_long_double(
    char *to, size_t room, size_t n, long double value, char kind, int flags, int width, int precision)
{
    char text[512];
    if (precision > 150 || kind == 'f' || kind == 'F')
        __vergo_unsupported("a floating-point number with many digits as text");
    ssize_t length = __vergo_print_float_long(text, sizeof text, kind | (flags & (PLUS | SPACE | ALTERNATIVE)), precision, value);
    return put_number(to, room, n, text, (size_t)length, kind, flags, width);
}

/* Stores the length so far as the type that the length modifier says, for `%n`. */
static void put_count(void *to, char length, size_t n)
{
    if (length == 'H')
        *(signed char *)to = (signed char)n;
    else if (length == 'h')
        *(short *)to = (short)n;
    else if (length == 'l')
        *(long *)to = (long)n;
    else if (length == 'q' || length == 'j')
        *(long long *)to = (long long)n;
    else if (length == 'z' || length == 't')
        *(size_t *)to = n;
    else
        *(int *)to = (int)n;
}

static int is_float(char kind)
{
    return kind == 'a' || kind == 'e' || kind == 'f' || kind == 'g' || kind == 'A' || kind == 'E' || kind == 'F'
        || kind == 'G';
}

/* A format that is no literal, with its arguments. */
size_t __vergo_format(char *to, size_t room, const char *format, va_list list)
{
    size_t n = 0;
    if (room > 0)
        __vergo_writes(to, 1);
    while (*format != 0) {
        size_t plain = 0;
        while (format[plain] != 0 && format[plain] != '%')
            plain++;
        if (plain > 0) {
            n = __vergo_put_text(to, room, n, format, plain, 0, 0);
            format += plain;
            continue;
        }
        format++;
        int flags = 0, width = 0, precision = -1, more = 1;
        while (more) {
            char c = *format;
            if (c == '-')
                flags |= LEFT;
            else if (c == '0')
                flags |= ZERO;
            else if (c == '+')
                flags |= PLUS;
            else if (c == ' ')
                flags |= SPACE;
            else if (c == '#')
                flags |= ALTERNATIVE;
            else
                more = 0;
            if (more)
                format++;
        }
        if (*format == '*') {
            width = __builtin_va_arg(list, int);
            if (width < 0) {
                flags |= LEFT;
                width = -width;
            }
            format++;
        } else
            while (*format >= '0' && *format <= '9') {
                width = width * 10 + (*format - '0');
                format++;
            }
        if (*format == '.') {
            format++;
            precision = 0;
            if (*format == '*') {
                precision = __builtin_va_arg(list, int);
                format++;
            } else
                while (*format >= '0' && *format <= '9') {
                    precision = precision * 10 + (*format - '0');
                    format++;
                }
        }
        char length = 0, c = *format;
        if (c == 'h' || c == 'l' || c == 'L' || c == 'q' || c == 'j' || c == 'z' || c == 't') {
            length = c;
            format++;
            if (*format == c && c == 'h') {
                length = 'H';
                format++;
            } else if (*format == c && c == 'l') {
                length = 'q';
                format++;
            }
        }
        char kind = *format;
        if (kind != 0)
            format++;
        int is_wide = length == 'q' || length == 'j' || length == 'L';
        int is_word = length == 'l' || length == 'z' || length == 't';
        int narrow = !is_wide && (!is_word || sizeof(long) == 4);
        if (kind == '%')
            n = put(to, room, n, '%');
        else if (kind == 'd' || kind == 'i') {
            long long value = is_wide ? __builtin_va_arg(list, long long)
                : is_word             ? __builtin_va_arg(list, long)
                                      : __builtin_va_arg(list, int);
            if (length == 'H')
                value = (signed char)value;
            else if (length == 'h')
                value = (short)value;
            n = __vergo_put_integer(to, room, n, (unsigned long long)value, 'd', narrow, flags, width, precision);
        } else if (kind == 'u' || kind == 'o' || kind == 'x' || kind == 'X') {
            unsigned long long value = is_wide ? __builtin_va_arg(list, unsigned long long)
                : is_word                      ? __builtin_va_arg(list, unsigned long)
                                               : __builtin_va_arg(list, unsigned);
            if (length == 'H')
                value = (unsigned char)value;
            else if (length == 'h')
                value = (unsigned short)value;
            n = __vergo_put_integer(to, room, n, value, kind, narrow, flags, width, precision);
        } else if (kind == 'c' && length == 0)
            n = __vergo_put_char(to, room, n, __builtin_va_arg(list, int), flags, width);
        else if (kind == 'c' && length == 'l')
            n = __vergo_put_wide_char(to, room, n, __builtin_va_arg(list, int), flags, width);
        else if (kind == 's' && (length == 0 || length == 'l')) {
            size_t limit = precision < 0 ? (size_t)-1 >> 1 : (size_t)precision;
            if (length == 'l')
                n = __vergo_put_wide_text(to, room, n, __builtin_va_arg(list, const int *), limit, flags, width);
            else
                n = __vergo_put_text(to, room, n, __builtin_va_arg(list, const char *), limit, flags, width);
        } else if (kind == 'n')
            put_count(__builtin_va_arg(list, void *), length, n);
        else if (is_float(kind) && length == 'L')
            n = __vergo_put_long_double(to, room, n, __builtin_va_arg(list, long double), kind, flags, width, precision);
        else if (is_float(kind))
            n = __vergo_put_float(to, room, n, __builtin_va_arg(list, double), kind, flags, width, precision);
        else
            __vergo_unsupported("this conversion of formatted output");
    }
    __vergo_put_end(to, room, n);
    return n;
}
