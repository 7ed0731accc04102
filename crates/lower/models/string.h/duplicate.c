/* Copies of strings on the heap (POSIX). */

extern size_t strlen(const char *);
extern size_t strnlen(const char *, size_t);
extern void *malloc(size_t);

char *strndup(const char *s, size_t n)
{
    size_t m = strnlen(s, n);
    char *copy = malloc(m + 1);
    if (copy == 0)
        return 0;
    for (size_t i = 0; i < m; i++)
        copy[i] = s[i];
    copy[m] = 0;
    return copy;
}

char *strdup(const char *s)
{
    size_t n = strlen(s);
    char *copy = malloc(n + 1);
    if (copy == 0)
        return 0;
    for (size_t i = 0; i <= n; i++)
        copy[i] = s[i];
    return copy;
}

char *__strdup(const char *s)
{
    return strdup(s);
}

char *__strndup(const char *s, size_t n)
{
    return strndup(s, n);
}
