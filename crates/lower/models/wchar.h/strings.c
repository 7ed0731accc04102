/* Strings of wide characters (C17 7.29.4). Arguments that the standard calls strings are read up to their ends. */

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
    __vergo_copies(from, n * sizeof *from);
    __vergo_writes(to, n * sizeof *to);
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
    return to;
}
