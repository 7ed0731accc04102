/* Sorting and searching arrays (C17 7.22.5). Sorting is by insertion; among equal elements every order is possible, and
   so is every equal element of a search. The whole array is the function's to read and write, however few it compares. */

static void exchange(char *a, char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char c = a[i];
        a[i] = b[i];
        b[i] = c;
    }
}

static int goes_behind(int order)
{
    return order > 0 || (order == 0 && !__vergo_concrete() && __VERIFIER_nondet_bool());
}

static size_t extent(size_t count, size_t size)
{
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) ? (size_t)-1 : bytes;
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    char *a = base;
    somewhere(base, count);
    writes(a, extent(count, size));
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && goes_behind(compare(a + (j - 1) * size, a + j * size)); j--)
            exchange(a + (j - 1) * size, a + j * size, size);
}

void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *arg)
{
    char *a = base;
    somewhere(base, count);
    writes(a, extent(count, size));
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && goes_behind(compare(a + (j - 1) * size, a + j * size, arg)); j--)
            exchange(a + (j - 1) * size, a + j * size, size);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    const char *a = base;
    size_t low = 0, high = count;
    somewhere(base, count);
    reads(a, extent(count, size));
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(key, a + middle * size);
        if (order == 0) {
            if (!__vergo_concrete() && __VERIFIER_nondet_bool()) {
                middle = __VERIFIER_nondet_ulong();
                __vergo_assume(middle >= low && middle < high);
                __vergo_assume(compare(key, a + middle * size) == 0);
            }
            return (void *)(a + middle * size);
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
