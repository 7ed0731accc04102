/* Memory with any contents, as verifiers' harnesses ask for it. */

static void havoc(void *object, size_t n)
{
    fills(object, n);
}

void __VERIFIER_nondet_memory(void *object, size_t n)
{
    havoc(object, n);
}

void __CPROVER_havoc_object(void *pointer)
{
    writes(pointer, 1);
    char *start = (char *)pointer - __vergo_offset(pointer);
    havoc(start, __vergo_object_size(pointer));
}

void __CPROVER_havoc_slice(void *pointer, size_t n)
{
    havoc(pointer, n);
}

size_t __CPROVER_OBJECT_SIZE(const void *pointer)
{
    return __vergo_object_size(pointer);
}

ptrdiff_t __CPROVER_POINTER_OFFSET(const void *pointer)
{
    return __vergo_offset(pointer);
}

void __CPROVER_input(const char *name, ...)
{
    (void)name;
}

void __CPROVER_output(const char *name, ...)
{
    (void)name;
}

void __CPROVER_cover(_Bool goal)
{
    (void)goal;
}

void __ESBMC_cover(_Bool goal)
{
    (void)goal;
}
