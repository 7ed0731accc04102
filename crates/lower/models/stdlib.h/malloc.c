/* The heap (C17 7.22.3, POSIX). */

extern void *memcpy(void *, const void *, size_t);

void *malloc(size_t size)
{
    if (__vergo_malloc_may_fail() && __VERIFIER_nondet_bool()) {
        *__errno_location() = 12;
        return 0;
    }
    return __vergo_alloc(size);
}

void free(void *pointer)
{
    __vergo_free(pointer);
}

void *calloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        *__errno_location() = 12;
        return 0;
    }
    if (__vergo_malloc_may_fail() && __VERIFIER_nondet_bool()) {
        *__errno_location() = 12;
        return 0;
    }
    return __vergo_alloc_zeroed(bytes);
}

void *realloc(void *old, size_t size)
{
    if (old == 0)
        return malloc(size);
    if (size == 0) {
        __vergo_free(old);
        return 0;
    }
    if (size > (size_t)-1 / 2 || __vergo_malloc_may_fail() && __VERIFIER_nondet_bool()) {
        *__errno_location() = 12;
        return 0;
    }
    size_t n = __vergo_object_size(old);
    if (n > size)
        n = size;
    /* The old object is gone when the new one is made, which may then lie where it was. */
    char *kept = __vergo_alloc(n);
    memcpy(kept, old, n);
    __vergo_free(old);
    char *new = __vergo_alloc(size);
    memcpy(new, kept, n);
    __vergo_free(kept);
    return new;
}

void *reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        *__errno_location() = 12;
        return 0;
    }
    return realloc(old, bytes);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    (void)alignment;
    return malloc(size);
}

void *memalign(size_t alignment, size_t size)
{
    (void)alignment;
    return malloc(size);
}

void *valloc(size_t size)
{
    return malloc(size);
}

int posix_memalign(void **result, size_t alignment, size_t size)
{
    (void)alignment;
    void *new = malloc(size);
    if (new == 0)
        return 12;
    *result = new;
    return 0;
}

size_t malloc_usable_size(void *pointer)
{
    return pointer == 0 ? 0 : __vergo_object_size(pointer);
}
