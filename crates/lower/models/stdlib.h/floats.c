/* Floating numbers in text (C17 7.22.1.1, 7.22.1.3), in the "C" locale. What is read and where it ends is exact. So is the
   value, if its digits fit a word and the power of ten is exact; otherwise it is any of that sign, and a counterexample
   that rests on it is none for sure. */

/* What a text says: a sign, a number times a power of ten or two, and what follows. */
struct __vergo_literal {
    int negative;
    /* 0: nothing, 1: a number, 2: infinity, 3: not a number. */
    int kind;
    int hexadecimal;
    unsigned long long digits;
    /* Whether digits were lost. */
    int inexact;
    long exponent;
    const char *end;
};

static int is_letter(char c, char letter)
{
    return c == letter || c == letter - 'a' + 'A';
}

static int digit_of(char c, int base)
{
    int d = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
    return d < base ? d : -1;
}

/* The exponent behind a letter, if there is one. */
static const char *read_exponent(const char *s, char letter, long *to)
{
    if (!is_letter(*s, letter))
        return s;
    const char *t = s + 1;
    int negative = *t == '-';
    if (*t == '-' || *t == '+')
        t++;
    if (digit_of(*t, 10) < 0)
        return s;
    long e = 0;
    for (; digit_of(*t, 10) >= 0; t++)
        if (e < 100000)
            e = e * 10 + digit_of(*t, 10);
    *to += negative ? -e : e;
    return t;
}

static void read_literal(const char *s, struct __vergo_literal *to)
{
    const char *start = s;
    to->negative = to->kind = to->hexadecimal = to->inexact = 0;
    to->digits = 0;
    to->exponent = 0;
    to->end = start;
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    if (*s == '-' || *s == '+') {
        to->negative = *s == '-';
        s++;
    }
    if (is_letter(s[0], 'i') && is_letter(s[1], 'n') && is_letter(s[2], 'f')) {
        to->kind = 2;
        s += 3;
        if (is_letter(s[0], 'i') && is_letter(s[1], 'n') && is_letter(s[2], 'i') && is_letter(s[3], 't')
            && is_letter(s[4], 'y'))
            s += 5;
        to->end = s;
        return;
    }
    if (is_letter(s[0], 'n') && is_letter(s[1], 'a') && is_letter(s[2], 'n')) {
        to->kind = 3;
        s += 3;
        to->end = s;
        if (*s == '(') {
            do
                s++;
            while (*s == '_' || (*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z'));
            if (*s == ')')
                to->end = s + 1;
        }
        return;
    }
    int base = 10;
    if (s[0] == '0' && is_letter(s[1], 'x')
        && (digit_of(s[2], 16) >= 0 || (s[2] == '.' && digit_of(s[3], 16) >= 0))) {
        base = 16;
        to->hexadecimal = 1;
        s += 2;
    }
    int any = 0, behind_point = 0;
    long unit = base == 16 ? 4 : 1;
    for (;; s++) {
        if (*s == '.' && !behind_point) {
            behind_point = 1;
            continue;
        }
        int d = digit_of(*s, base);
        if (d < 0)
            break;
        any = 1;
        if (to->digits <= ((unsigned long long)-1 - 15) / 16) {
            to->digits = to->digits * (unsigned)base + (unsigned)d;
            to->exponent -= behind_point ? unit : 0;
        } else {
            to->inexact |= d != 0;
            to->exponent += behind_point ? 0 : unit;
        }
    }
    if (!any)
        return;
    to->kind = 1;
    to->end = read_exponent(s, base == 16 ? 'p' : 'e', &to->exponent);
}

static long double power(long double base, long n)
{
    long double r = 1;
    for (; n > 0; n--)
        r *= base;
    return r;
}

/* The value of a literal if arithmetic with so many bits gives it exactly rounded, which is stored; else zero. */
static double value_of(const struct __vergo_literal *of, int bits, long powers, int *is_exact)
{
    unsigned long long limit = bits == 64 ? (unsigned long long)-1 : 1ULL << bits;
    double r = 0;
    *is_exact = 1;
    if (of->kind != 1)
        r = of->kind == 0 ? 0 : of->kind == 2 ? __builtin_inf() : __builtin_nan("");
    else if (of->digits == 0)
        r = 0;
    else if (of->inexact || of->digits > limit)
        *is_exact = 0;
    else if (of->hexadecimal && of->exponent >= -64 && of->exponent <= 63)
        r = of->exponent < 0 ? (double)of->digits / (double)power(2, -of->exponent)
                             : (double)of->digits * (double)power(2, of->exponent);
    else if (!of->hexadecimal && of->exponent >= -powers && of->exponent <= powers)
        r = of->exponent < 0 ? (double)of->digits / (double)power(10, -of->exponent)
                             : (double)of->digits * (double)power(10, of->exponent);
    else
        *is_exact = 0;
    return r;
}

static double any_double(void)
{
    __vergo_approximation("strtod");
    double r = __VERIFIER_nondet_double();
    __vergo_assume(r >= 0);
    if (r == 0 || __builtin_isinf(r) || (r < 0x1p-1022 && __VERIFIER_nondet_bool()))
        *__errno_location() = 34;
    return r;
}

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
    struct __vergo_literal of;
    int is_exact;
    reads_text(s);
    read_literal(s, &of);
    if (end != 0)
        *end = (char *)of.end;
    double r = value_of(&of, 53, 22, &is_exact);
    if (!is_exact) {
        if (__vergo_concrete()) {
            scan(s, "%lf", &r);
            if (r == 0 || __builtin_isinf(r))
                *__errno_location() = 34;
            return r;
        }
        r = any_double();
    }
    return of.negative ? -r : r;
}

float strtof(const char *s, char **end)
{
    struct __vergo_literal of;
    int is_exact;
    reads_text(s);
    read_literal(s, &of);
    if (end != 0)
        *end = (char *)of.end;
    /* An exact quotient or product of so small numbers, rounded twice, is the one rounded once. */
    double r = value_of(&of, 24, 10, &is_exact);
    if (!is_exact) {
        if (__vergo_concrete()) {
            float f = 0;
            scan(s, "%f", &f);
            if (f == 0 || __builtin_isinf(f))
                *__errno_location() = 34;
            return f;
        }
        r = any_double();
    }
    return (float)(of.negative ? -r : r);
}

long double strtold(const char *s, char **end)
{
    struct __vergo_literal of;
    int is_exact;
    reads_text(s);
    read_literal(s, &of);
    if (end != 0)
        *end = (char *)of.end;
    /* The power of ten may not be negative: a quotient would be rounded to fewer bits. */
    double r = value_of(&of, 53, of.exponent < 0 ? 0 : 5, &is_exact);
    if (is_exact && of.kind == 1 && of.digits > 1ULL << 20 && of.exponent != 0)
        is_exact = 0;
    if (!is_exact || (of.kind == 1 && of.hexadecimal && of.exponent < 0)) {
        long double l = 0;
        if (__vergo_concrete()) {
            scan(s, "%Lf", &l);
            return l;
        }
        __vergo_approximation("strtold");
        l = __VERIFIER_nondet_longdouble();
        __vergo_assume(l >= 0);
        return of.negative ? -l : l;
    }
    return (long double)(of.negative ? -r : r);
}

double atof(const char *s)
{
    return strtod(s, 0);
}
