/* Random bytes of the system (Linux, BSD). */

ssize_t getrandom(void *to, size_t n, unsigned flags)
{
    (void)flags;
    writes(to, n);
    if (__VERIFIER_nondet_bool())
        return fails();
    return __vergo_read(-1, to, n) < 0 ? fails() : (ssize_t)n;
}

int getentropy(void *to, size_t n)
{
    if (n > 256)
        return fails();
    fills(to, n);
    return may_fail();
}
