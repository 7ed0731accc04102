/* Waiting for descriptors (POSIX): any subset is ready. */

struct timeval { long tv_sec; long tv_usec; };
struct __vergo_set { unsigned long words[1024 / (8 * sizeof(long))]; };
extern struct __vergo_set __VERIFIER_nondet_set(void);

/* Some of the descriptors of a set. */
static void some_of(struct __vergo_set *set)
{
    if (set == 0)
        return;
    struct __vergo_set any = __VERIFIER_nondet_set();
    for (unsigned i = 0; i < sizeof set->words / sizeof *set->words; i++)
        set->words[i] &= any.words[i];
}

int select(int limit, struct __vergo_set *in, struct __vergo_set *out, struct __vergo_set *other, struct timeval *time)
{
    if (time != 0)
        writes(time, sizeof *time);
    if (limit < 0 || limit > 1024 || __VERIFIER_nondet_bool())
        return fails();
    some_of(in);
    some_of(out);
    some_of(other);
    return between(0, 3 * limit);
}
