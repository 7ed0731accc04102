/* Waiting for descriptors (POSIX). */

struct pollfd { int fd; short events, revents; };

int poll(struct pollfd *of, unsigned long count, int timeout)
{
    (void)timeout;
    size_t bytes;
    if (__builtin_mul_overflow((size_t)count, sizeof *of, &bytes))
        bytes = (size_t)-1;
    writes(of, bytes);
    for (unsigned long i = 0; i < count; i++)
        of[i].revents = (short)__VERIFIER_nondet_int();
    int r = __VERIFIER_nondet_int();
    if (r < 0)
        return fails();
    __vergo_assume((unsigned long)r <= count);
    return r;
}
