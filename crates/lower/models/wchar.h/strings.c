/* Strings of wide characters (C17 7.29.4). Arguments that the standard calls strings are read up to their ends. */

extern void *malloc(size_t);
extern void *memcpy(void *, const void *, size_t);
extern void *memmove(void *, const void *, size_t);

size_t wcslen(const int *s)
{
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

int *wcscpy(int *to, const int *from)
{
    size_t i = 0;
    while ((to[i] = from[i]) != 0)
        i++;
    return to;
}

int *wcsncpy(int *to, const int *from, size_t n)
{
    __vergo_writes(to, n * sizeof *to);
    size_t i = 0;
    for (; i < n && from[i] != 0; i++)
        to[i] = from[i];
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

int *wcscat(int *to, const int *from)
{
    wcscpy(to + wcslen(to), from);
    return to;
}

int wcscmp(const int *a, const int *b)
{
    wcslen(a);
    wcslen(b);
    size_t i = 0;
    while (a[i] != 0 && a[i] == b[i])
        i++;
    return a[i] < b[i] ? -1 : a[i] > b[i];
}

int wcsncmp(const int *a, const int *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
        if (a[i] == 0)
            return 0;
    }
    return 0;
}

int *wcschr(const int *s, int c)
{
    wcslen(s);
    for (;; s++) {
        if (*s == c)
            return (int *)s;
        if (*s == 0)
            return 0;
    }
}

int *wmemset(int *to, int c, size_t n)
{
    __vergo_writes(to, n * sizeof *to);
    for (size_t i = 0; i < n; i++)
        to[i] = c;
    return to;
}

int *wmemcpy(int *to, const int *from, size_t n)
{
    return memcpy(to, from, n * sizeof *to);
}

int *wmemmove(int *to, const int *from, size_t n)
{
    return memmove(to, from, n * sizeof *to);
}

int *wmempcpy(int *to, const int *from, size_t n)
{
    return wmemcpy(to, from, n) + n;
}

int wmemcmp(const int *a, const int *b, size_t n)
{
    __vergo_reads(a, n * sizeof *a);
    __vergo_reads(b, n * sizeof *b);
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

int *wmemchr(const int *s, int c, size_t n)
{
    __vergo_reads(s, n * sizeof *s);
    for (size_t i = 0; i < n; i++)
        if (s[i] == c)
            return (int *)(s + i);
    return 0;
}

size_t wcsnlen(const int *s, size_t n)
{
    size_t i = 0;
    while (i < n && s[i] != 0)
        i++;
    return i;
}

int *wcpcpy(int *to, const int *from)
{
    return wcscpy(to, from) + wcslen(from);
}

int *wcsncat(int *to, const int *from, size_t n)
{
    int *end = to + wcslen(to);
    size_t i = 0;
    for (; i < n && from[i] != 0; i++)
        end[i] = from[i];
    end[i] = 0;
    return to;
}

int *wcsrchr(const int *s, int c)
{
    const int *found = 0;
    for (;; s++) {
        if (*s == c)
            found = s;
        if (*s == 0)
            return (int *)found;
    }
}

int *wcsstr(const int *s, const int *part)
{
    size_t n = wcslen(part), length = wcslen(s);
    for (size_t at = 0; at + n <= length; at++)
        if (wcsncmp(s + at, part, n) == 0)
            return (int *)(s + at);
    return 0;
}

size_t wcsspn(const int *s, const int *set)
{
    size_t i = 0;
    wcslen(s);
    while (s[i] != 0 && wcschr(set, s[i]) != 0)
        i++;
    return i;
}

size_t wcscspn(const int *s, const int *set)
{
    size_t i = 0;
    wcslen(s);
    while (s[i] != 0 && wcschr(set, s[i]) == 0)
        i++;
    return i;
}

int *wcspbrk(const int *s, const int *set)
{
    s += wcscspn(s, set);
    return *s != 0 ? (int *)s : 0;
}

int *wcstok(int *s, const int *set, int **rest)
{
    if (s == 0)
        s = *rest;
    s += wcsspn(s, set);
    if (*s == 0) {
        *rest = s;
        return 0;
    }
    int *end = s + wcscspn(s, set);
    *rest = *end != 0 ? end + 1 : end;
    *end = 0;
    return s;
}

int *wcsdup(const int *s)
{
    size_t size = (wcslen(s) + 1) * sizeof *s;
    int *copy = malloc(size);
    return copy != 0 ? memcpy(copy, s, size) : 0;
}
