/* Waiting for descriptors (POSIX). */

struct pollfd { int fd; short events, revents; };

int poll(struct pollfd *of, unsigned long count, int timeout)
{
    (void)timeout;
    size_t bytes;
    if (__builtin_mul_overflow((size_t)count, sizeof *of, &bytes))
        bytes = (size_t)-1;
    writes(of, bytes);
    if (__VERIFIER_nondet_bool())
        return fails();
    int n_ready = 0;
    for (unsigned long i = 0; i < count; i++) {
        /* What was asked for, errors (8), the end (16) and a descriptor that is not open (32); nothing for negative ones. */
        of[i].revents = of[i].fd < 0 ? 0 : (short)(__VERIFIER_nondet_int() & (of[i].events | 56));
        n_ready += of[i].revents != 0;
    }
    return n_ready;
}
