/* Comparing strings in the "C" locale (C17 7.24.4, POSIX). Only the sign of a result is fixed. */

/* A result of two bytes, the first that differ. */
static int order(int x, int y)
{
    if (x == y)
        return 0;
    if (__vergo_concrete())
        return x < y ? -1 : 1;
    int r = (int)__vergo_choice(CHOICE_ORDER, x, y);
    __vergo_assume(x < y ? r < 0 : r > 0);
    return r;
}

int strcmp(const char *a, const char *b)
{
    takes_text(a);
    takes_text(b);
    size_t i = 0;
    while (a[i] != 0 && a[i] == b[i])
        i++;
    return order((unsigned char)a[i], (unsigned char)b[i]);
}

int strcoll(const char *a, const char *b)
{
    return strcmp(a, b);
}

int strncmp(const char *a, const char *b, size_t n)
{
    somewhere(a, n);
    somewhere(b, n);
    for (size_t i = 0; i < n; i++) {
        unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (x != y)
            return order(x, y);
        if (x == 0)
            return 0;
    }
    return 0;
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

int strcasecmp(const char *a, const char *b)
{
    takes_text(a);
    takes_text(b);
    size_t i = 0;
    while (a[i] != 0 && lower(a[i]) == lower(b[i]))
        i++;
    return order(lower(a[i]), lower(b[i]));
}

int strncasecmp(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int x = lower(a[i]), y = lower(b[i]);
        if (x != y)
            return order(x, y);
        if (x == 0)
            return 0;
    }
    return 0;
}

size_t strxfrm(char *to, const char *from, size_t n)
{
    size_t i = 0;
    for (; from[i] != 0; i++)
        if (i < n)
            to[i] = from[i];
    if (i < n)
        to[i] = 0;
    return i;
}
