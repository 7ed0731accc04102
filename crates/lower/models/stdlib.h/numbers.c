/* Integers in text (C17 7.22.1.2, 7.22.1.4, 7.8.2.3). */

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static unsigned digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'z')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'Z')
        return (unsigned)(c - 'A') + 10;
    return 99;
}

/* The number in a text, cut at `max`, and a negative one at `least`, both without their signs; whether it was cut and whether it
   has a minus are stored. */
static unsigned long long parse(const char *s, char **end, int base, unsigned long long max, unsigned long long least,
                                int *negative, int *cut)
{
    takes_text(s);
    const char *start = s;
    *cut = 0;
    /* Another base is an error (POSIX); whether an end is stored then is open, and glibc does not. */
    if (base < 0 || base == 1 || base > 36) {
        *negative = 0;
        if (end != 0 && !__vergo_concrete() && __VERIFIER_nondet_bool())
            *end = (char *)start;
        *__errno_location() = 22;
        return 0;
    }
    while (is_space(text_at(s)))
        s++;
    char sign = text_at(s);
    *negative = sign == '-';
    if (sign == '-' || sign == '+')
        s++;
    unsigned long long limit = sign == '-' ? least : max;
    int is_prefixed = text_at(s) == '0' && (text_at(s + 1) == 'x' || text_at(s + 1) == 'X') && digit(text_at(s + 2)) < 16;
    if ((base == 0 || base == 16) && is_prefixed) {
        s += 2;
        base = 16;
    } else if (base == 0) {
        base = text_at(s) == '0' ? 8 : 10;
    }
    unsigned long long value = 0;
    int any = 0;
    for (unsigned d; d = digit(text_at(s)), d < (unsigned)base; s++) {
        any = 1;
        if (*cut || value > (limit - d) / (unsigned)base) {
            *cut = 1;
            value = limit;
        } else {
            value = value * (unsigned)base + d;
        }
    }
    if (end != 0)
        *end = (char *)(any ? s : start);
    if (*cut)
        *__errno_location() = 34;
    return value;
}

static long long signed_of(const char *s, char **end, int base, unsigned long long max)
{
    int negative, cut;
    unsigned long long value = parse(s, end, base, max, max + 1, &negative, &cut);
    return (long long)(negative ? -value : value);
}

static unsigned long long unsigned_of(const char *s, char **end, int base, unsigned long long max)
{
    int negative, cut;
    unsigned long long value = parse(s, end, base, max, max, &negative, &cut);
    return negative && !cut ? -value : value;
}

long strtol(const char *s, char **end, int base)
{
    return (long)signed_of(s, end, base, (unsigned long)-1 >> 1);
}

long long strtoll(const char *s, char **end, int base)
{
    return signed_of(s, end, base, (unsigned long long)-1 >> 1);
}

unsigned long strtoul(const char *s, char **end, int base)
{
    return (unsigned long)unsigned_of(s, end, base, (unsigned long)-1);
}

unsigned long long strtoull(const char *s, char **end, int base)
{
    return unsigned_of(s, end, base, (unsigned long long)-1);
}

long __isoc23_strtol(const char *s, char **end, int base)
{
    return strtol(s, end, base);
}

long long __isoc23_strtoll(const char *s, char **end, int base)
{
    return strtoll(s, end, base);
}

unsigned long __isoc23_strtoul(const char *s, char **end, int base)
{
    return strtoul(s, end, base);
}

unsigned long long __isoc23_strtoull(const char *s, char **end, int base)
{
    return strtoull(s, end, base);
}

long __strtol_internal(const char *s, char **end, int base, int group)
{
    (void)group;
    return strtol(s, end, base);
}

unsigned long __strtoul_internal(const char *s, char **end, int base, int group)
{
    (void)group;
    return strtoul(s, end, base);
}

long long strtoimax(const char *s, char **end, int base)
{
    return strtoll(s, end, base);
}

unsigned long long strtoumax(const char *s, char **end, int base)
{
    return strtoull(s, end, base);
}

long long strtoq(const char *s, char **end, int base)
{
    return strtoll(s, end, base);
}

unsigned long long strtouq(const char *s, char **end, int base)
{
    return strtoull(s, end, base);
}

int atoi(const char *s)
{
    return (int)strtol(s, 0, 10);
}

long atol(const char *s)
{
    return strtol(s, 0, 10);
}

long long atoll(const char *s)
{
    return strtoll(s, 0, 10);
}
