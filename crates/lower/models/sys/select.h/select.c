/* Waiting for descriptors (POSIX): any subset is ready. */

struct timeval { long tv_sec; long tv_usec; };
struct __vergo_set { unsigned long words[1024 / (8 * sizeof(long))]; };
extern struct __vergo_set __VERIFIER_nondet_set(void);

/* Some of the descriptors of a set that are below the limit; how many. */
static int some_of(struct __vergo_set *set, int limit)
{
    if (set == 0)
        return 0;
    struct __vergo_set any = __VERIFIER_nondet_set();
    int n = 0, bits = 8 * sizeof *set->words;
    for (int i = 0; i < 1024 / bits; i++) {
        int below = limit - i * bits;
        unsigned long kept = below <= 0 ? 0 : below >= bits ? ~0ul : (1ul << below) - 1;
        set->words[i] &= any.words[i] & kept;
        n += __builtin_popcountl(set->words[i]);
    }
    return n;
}

int select(int limit, struct __vergo_set *in, struct __vergo_set *out, struct __vergo_set *other, struct timeval *time)
{
    if (time != 0)
        writes(time, sizeof *time);
    if (limit < 0 || limit > 1024 || __VERIFIER_nondet_bool())
        return fails();
    return some_of(in, limit) + some_of(out, limit) + some_of(other, limit);
}
