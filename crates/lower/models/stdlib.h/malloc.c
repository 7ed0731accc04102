/* The heap (C17 7.22.3, POSIX). Of no bytes there is a unique address or none (7.22.3p1). */

extern void *memcpy(void *, const void *, size_t);

/* Memory of half an address space is not to be had. With 32 bits that is no more than programs ask for that count on memory
   enough: what they do without it says nothing of them. */
static int is_too_much(size_t size)
{
    if (size <= (size_t)-1 / 2)
        return 0;
    if (sizeof(size_t) == 4 && !__vergo_concrete() && !__vergo_malloc_may_fail())
        __vergo_approximation("malloc of 2 GiB or more");
    return 1;
}

static int is_refused(size_t size)
{
    if (is_too_much(size)) {
        *__errno_location() = 12;
        return 1;
    }
    if (__vergo_concrete() || !(size == 0 || __vergo_malloc_may_fail()) || !__VERIFIER_nondet_bool())
        return 0;
    *__errno_location() = 12;
    return 1;
}

void *__vergo_malloc(size_t size)
{
    return is_refused(size) ? 0 : __vergo_alloc(size);
}

void *malloc(size_t size)
{
    return __vergo_malloc(size);
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
    return is_refused(bytes) ? 0 : __vergo_alloc_zeroed(bytes);
}

void *realloc(void *old, size_t size)
{
    if (old == 0)
        return malloc(size);
    /* What may not be freed may not be resized either (7.22.3.5p3). */
    __vergo_claim(__vergo_is_heap(old) && __vergo_offset(old) == 0, "memory.invalid-free",
                  "what is resized was not allocated");
    __vergo_claim(__vergo_is_live(old), "memory.double-free", "what is resized has been freed");
    if (size == 0) {
        __vergo_free(old);
        return 0;
    }
    if (is_too_much(size) || __vergo_malloc_may_fail() && __VERIFIER_nondet_bool()) {
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

static int is_power_of_two(size_t n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

/* Memory whose address is a multiple of a power of two. */
static void *aligned(size_t alignment, size_t size)
{
    void *new = malloc(size);
    if (alignment > 16 && new != 0)
        __vergo_assume(((size_t)new & (alignment - 1)) == 0);
    return new;
}

/* An alignment that the implementation does not support makes it fail (7.22.3.1, DR 460). */
void *aligned_alloc(size_t alignment, size_t size)
{
    if (!is_power_of_two(alignment)) {
        *__errno_location() = 22;
        return 0;
    }
    return aligned(alignment, size);
}

void *memalign(size_t alignment, size_t size)
{
    return aligned_alloc(alignment, size);
}

void *valloc(size_t size)
{
    return aligned(4096, size);
}

int posix_memalign(void **result, size_t alignment, size_t size)
{
    writes(result, sizeof *result);
    if (!is_power_of_two(alignment) || alignment % sizeof(void *) != 0)
        return 22;
    void *new = aligned(alignment, size);
    if (new == 0 && size > 0)
        return 12;
    *result = new;
    return 0;
}

size_t malloc_usable_size(void *pointer)
{
    if (pointer == 0)
        return 0;
    __vergo_claim(__vergo_is_heap(pointer) && __vergo_offset(pointer) == 0, "memory.invalid-free",
                  "what is measured was not allocated");
    __vergo_claim(__vergo_is_live(pointer), "memory.lifetime", "what is measured has been freed");
    return __vergo_object_size(pointer);
}
