/* Copying and appending strings (C17 7.24.2.3, 7.24.2.4, 7.24.3, POSIX, BSD). */

extern size_t strlen(const char *);
extern size_t strnlen(const char *, size_t);

extern int __vergo_same_object(const void *, const void *);

/* That a text and the place where it is copied to do not overlap (C17 7.24.2.3p2). */
static void claim_apart(const char *to, const char *from, size_t limit)
{
    if (__vergo_same_object(to, from)) {
        size_t n = __vergo_text_size(from, limit);
        ptrdiff_t x = __vergo_offset(to), y = __vergo_offset(from);
        size_t between = x < y ? (size_t)(y - x) : (size_t)(x - y);
        __vergo_claim(between >= n, "call.argument", "the text is copied onto itself");
    }
}

char *strcpy(char *to, const char *from)
{
    size_t i = 0;
    claim_apart(to, from, (size_t)-1 >> 1);
    for (; from[i] != 0; i++)
        to[i] = from[i];
    to[i] = 0;
    return to;
}

char *stpcpy(char *to, const char *from)
{
    size_t i = 0;
    claim_apart(to, from, (size_t)-1 >> 1);
    for (; from[i] != 0; i++)
        to[i] = from[i];
    to[i] = 0;
    return to + i;
}

char *strncpy(char *to, const char *from, size_t n)
{
    size_t i = 0;
    somewhere(to, n);
    somewhere(from, n);
    __vergo_writes(to, n);
    claim_apart(to, from, n);
    for (; i < n && from[i] != 0; i++)
        to[i] = from[i];
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

char *stpncpy(char *to, const char *from, size_t n)
{
    size_t i = 0;
    somewhere(to, n);
    somewhere(from, n);
    __vergo_writes(to, n);
    claim_apart(to, from, n);
    for (; i < n && from[i] != 0; i++)
        to[i] = from[i];
    char *end = to + i;
    for (; i < n; i++)
        to[i] = 0;
    return end;
}

char *strcat(char *to, const char *from)
{
    strcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *to, const char *from, size_t n)
{
    char *end = to + strlen(to);
    size_t i = 0;
    somewhere(from, n);
    claim_apart(end, from, n);
    for (; i < n && from[i] != 0; i++)
        end[i] = from[i];
    end[i] = 0;
    return to;
}

size_t strlcpy(char *to, const char *from, size_t size)
{
    size_t n = strlen(from);
    if (size > 0) {
        size_t m = n < size ? n : size - 1;
        for (size_t i = 0; i < m; i++)
            to[i] = from[i];
        to[m] = 0;
    }
    return n;
}

size_t strlcat(char *to, const char *from, size_t size)
{
    size_t used = 0;
    while (used < size && to[used] != 0)
        used++;
    if (used == size)
        return size + strlen(from);
    return used + strlcpy(to + used, from, size - used);
}

char *__strcpy_chk(char *to, const char *from, size_t size)
{
    size_t n_bytes = __vergo_text_size(from, (size_t)-1 >> 1);
    __vergo_writes(to, n_bytes);
    if (n_bytes > size)
        __vergo_abort();
    return strcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, size_t size)
{
    size_t n_bytes = __vergo_text_size(from, (size_t)-1 >> 1);
    __vergo_writes(to, n_bytes);
    if (n_bytes > size)
        __vergo_abort();
    return stpcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t size)
{
    size_t n_bytes = n;
    __vergo_writes(to, n_bytes);
    if (n_bytes > size)
        __vergo_abort();
    return strncpy(to, from, n);
}

char *__strcat_chk(char *to, const char *from, size_t size)
{
    size_t n_bytes = strlen(to) + strlen(from) + 1;
    __vergo_writes(to, n_bytes);
    if (n_bytes > size)
        __vergo_abort();
    return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t n, size_t size)
{
    size_t n_bytes = strlen(to) + strnlen(from, n) + 1;
    __vergo_writes(to, n_bytes);
    if (n_bytes > size)
        __vergo_abort();
    return strncat(to, from, n);
}
