/* Sorting and searching arrays (C17 7.22.5). Sorting is by insertion, which is stable and easily analysed. */

static size_t bytes(size_t count, size_t size)
{
    return size != 0 && count > (size_t)-1 / size ? (size_t)-1 : count * size;
}

static void exchange(char *a, char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char c = a[i];
        a[i] = b[i];
        b[i] = c;
    }
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    char *a = base;
    __vergo_writes(base, bytes(count, size));
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && compare(a + (j - 1) * size, a + j * size) > 0; j--)
            exchange(a + (j - 1) * size, a + j * size, size);
}

void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *arg)
{
    char *a = base;
    __vergo_writes(base, bytes(count, size));
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && compare(a + (j - 1) * size, a + j * size, arg) > 0; j--)
            exchange(a + (j - 1) * size, a + j * size, size);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    const char *a = base;
    __vergo_reads(base, bytes(count, size));
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(key, a + middle * size);
        if (order == 0)
            return (void *)(a + middle * size);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
