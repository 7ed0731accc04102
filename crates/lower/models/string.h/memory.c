/* Copying, setting, comparing and searching bytes (C17 7.24.2.1, 7.24.2.2, 7.24.4.1, 7.24.5.1, 7.24.6.1, POSIX, GNU). */

extern int __vergo_same_object(const void *, const void *);

/* That blocks do not overlap (C17 7.24.2.1p2); a copy of a block to itself is harmless and common. */
static void claim_apart(const void *a, const void *b, size_t n)
{
    if (a != b && __vergo_same_object(a, b)) {
        ptrdiff_t x = __vergo_offset(a), y = __vergo_offset(b);
        size_t between = x < y ? (size_t)(y - x) : (size_t)(x - y);
        __vergo_claim(between >= n, "call.argument", "the blocks that are copied overlap");
    }
}

void *memcpy(void *to, const void *from, size_t n)
{
    unsigned char *a = to;
    const unsigned char *b = from;
    somewhere(to, n);
    somewhere(from, n);
    __vergo_copies(from, n);
    __vergo_writes(to, n);
    claim_apart(to, from, n);
    for (size_t i = 0; i < n; i++)
        a[i] = b[i];
    return to;
}

void *mempcpy(void *to, const void *from, size_t n)
{
    return (char *)memcpy(to, from, n) + n;
}

void *memmove(void *to, const void *from, size_t n)
{
    unsigned char *a = to;
    const unsigned char *b = from;
    somewhere(to, n);
    somewhere(from, n);
    __vergo_copies(from, n);
    __vergo_writes(to, n);
    if (a < b || a >= b + n) {
        for (size_t i = 0; i < n; i++)
            a[i] = b[i];
    } else {
        for (size_t i = n; i > 0; i--)
            a[i - 1] = b[i - 1];
    }
    return to;
}

void bcopy(const void *from, void *to, size_t n)
{
    memmove(to, from, n);
}

void *memset(void *to, int c, size_t n)
{
    unsigned char *a = to;
    somewhere(to, n);
    __vergo_writes(to, n);
    for (size_t i = 0; i < n; i++)
        a[i] = (unsigned char)c;
    return to;
}

void bzero(void *to, size_t n)
{
    memset(to, 0, n);
}

void explicit_bzero(void *to, size_t n)
{
    memset(to, 0, n);
}

int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    /* Both arrays have to be there as a whole (7.1.4), not only up to the first difference. */
    somewhere(a, n);
    somewhere(b, n);
    __vergo_reads(a, n);
    __vergo_reads(b, n);
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i]) {
            if (__vergo_concrete())
                return x[i] < y[i] ? -1 : 1;
            /* Only the sign is fixed. */
            int r = (int)__vergo_choice(CHOICE_ORDER, x[i], y[i]);
            __vergo_assume(x[i] < y[i] ? r < 0 : r > 0);
            return r;
        }
    return 0;
}

int bcmp(const void *a, const void *b, size_t n)
{
    return memcmp(a, b, n);
}

void *memchr(const void *in, int c, size_t n)
{
    const unsigned char *a = in;
    somewhere(in, n);
    for (size_t i = 0; i < n; i++)
        if (a[i] == (unsigned char)c)
            return (void *)(a + i);
    return 0;
}

void *rawmemchr(const void *in, int c)
{
    const unsigned char *a = in;
    while (*a != (unsigned char)c)
        a++;
    return (void *)a;
}

void *memrchr(const void *in, int c, size_t n)
{
    const unsigned char *a = in;
    __vergo_reads(in, n);
    for (size_t i = n; i > 0; i--)
        if (a[i - 1] == (unsigned char)c)
            return (void *)(a + i - 1);
    return 0;
}

void *memccpy(void *to, const void *from, int c, size_t n)
{
    unsigned char *a = to;
    const unsigned char *b = from;
    for (size_t i = 0; i < n; i++) {
        a[i] = b[i];
        if (b[i] == (unsigned char)c)
            return a + i + 1;
    }
    return 0;
}

void *memmem(const void *in, size_t n, const void *what, size_t m)
{
    const unsigned char *a = in;
    __vergo_reads(in, n);
    __vergo_reads(what, m);
    if (m == 0)
        return (void *)a;
    for (size_t i = 0; i + m <= n; i++)
        if (memcmp(a + i, what, m) == 0)
            return (void *)(a + i);
    return 0;
}

void swab(const void *from, void *to, ssize_t n)
{
    const char *a = from;
    char *b = to;
    for (ssize_t i = 0; i + 1 < n; i += 2) {
        char first = a[i], second = a[i + 1];
        b[i] = second;
        b[i + 1] = first;
    }
}

void *__memcpy_chk(void *to, const void *from, size_t n, size_t size)
{
    __vergo_writes(to, n);
    if (n > size)
        __vergo_abort();
    return memcpy(to, from, n);
}

void *__mempcpy_chk(void *to, const void *from, size_t n, size_t size)
{
    __vergo_writes(to, n);
    if (n > size)
        __vergo_abort();
    return mempcpy(to, from, n);
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t size)
{
    __vergo_writes(to, n);
    if (n > size)
        __vergo_abort();
    return memmove(to, from, n);
}

void *__memset_chk(void *to, int c, size_t n, size_t size)
{
    __vergo_writes(to, n);
    if (n > size)
        __vergo_abort();
    return memset(to, c, n);
}
