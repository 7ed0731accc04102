/* Random numbers (C17 7.22.2, POSIX): any numbers of the documented range, but the same sequence for the same seed. */

extern long long __VERIFIER_nondet_longlong(void);

static unsigned seed = 1, taken;

int rand(void)
{
    return (int)(__vergo_choice(CHOICE_RANDOM, seed, taken++) & 0x7fffffff);
}

void srand(unsigned from)
{
    seed = from;
    taken = 0;
}

int rand_r(unsigned *state)
{
    unsigned now = *state;
    *state = (unsigned)__vergo_choice(CHOICE_RANDOM_NEXT, now, 0);
    return (int)(__vergo_choice(CHOICE_RANDOM_NEXT, now, 1) & 0x7fffffff);
}

static unsigned long_seed = 1, long_taken;

long random(void)
{
    return (long)(__vergo_choice(CHOICE_RANDOM, 0x100000000LL | long_seed, long_taken++) & 0x7fffffff);
}

void srandom(unsigned from)
{
    long_seed = from;
    long_taken = 0;
}

static long real_seed;
static unsigned real_taken;

/* The next 48 bits of the sequence that `drand48` and its kin share. */
static long long next_48(void)
{
    return __vergo_choice(CHOICE_RANDOM, 0x200000000LL ^ real_seed, real_taken++) & 0xffffffffffffLL;
}

double drand48(void)
{
    return (double)next_48() * 0x1p-48;
}

long lrand48(void)
{
    return (long)(next_48() >> 17);
}

long mrand48(void)
{
    return (int)(next_48() >> 16);
}

void srand48(long from)
{
    real_seed = from & 0xffffffffL;
    real_taken = 0;
}

unsigned arc4random(void)
{
    return (unsigned)__VERIFIER_nondet_int();
}

unsigned arc4random_uniform(unsigned bound)
{
    unsigned r = (unsigned)__VERIFIER_nondet_int();
    __vergo_assume(bound < 2 ? r == 0 : r < bound);
    return r;
}

void arc4random_buf(void *to, size_t n)
{
    fills(to, n);
}
