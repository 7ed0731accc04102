/* Clocks (C17 7.27.2, POSIX). What they show is the world's, but none runs backwards. */

extern long __vergo_time(void);
extern long long __VERIFIER_nondet_longlong(void);
struct timeval { long tv_sec; long tv_usec; };
struct timespec { long tv_sec; long tv_nsec; };

/* Where the clocks were last seen, in seconds and nanoseconds: of the day, and since some start. */
static struct timespec of_day, since_start;
static long used;

static void advance(struct timespec *clock)
{
    if (__vergo_concrete()) {
        clock->tv_sec = __vergo_time();
        clock->tv_nsec = 0;
        return;
    }
    long seconds = __VERIFIER_nondet_long(), part = __VERIFIER_nondet_long();
    __vergo_assume(part >= 0 && part < 1000000000);
    __vergo_assume(seconds > clock->tv_sec || (seconds == clock->tv_sec && part >= clock->tv_nsec));
    clock->tv_sec = seconds;
    clock->tv_nsec = part;
}

long time(long *to)
{
    advance(&of_day);
    long now = !__vergo_concrete() && __VERIFIER_nondet_bool() ? fails() : of_day.tv_sec;
    if (to != 0)
        *to = now;
    return now;
}

long clock(void)
{
    long now = __VERIFIER_nondet_long();
    if (now == -1)
        return -1;
    __vergo_assume(now >= used);
    used = now;
    return now;
}

double difftime(long end, long start)
{
    return (double)end - (double)start;
}

int gettimeofday(struct timeval *to, void *zone)
{
    advance(&of_day);
    if (zone != 0) {
        ((int *)zone)[0] = __VERIFIER_nondet_int();
        ((int *)zone)[1] = __VERIFIER_nondet_int();
    }
    to->tv_sec = of_day.tv_sec;
    to->tv_usec = of_day.tv_nsec / 1000;
    return 0;
}

/* The clocks that every system has are 0, of the day, and 1, which nobody can set. */
int clock_gettime(int which, struct timespec *to)
{
    if (which > 11 || ((which < 0 || which > 1) && __VERIFIER_nondet_bool())) {
        *__errno_location() = 22;
        return -1;
    }
    if (which == 0 || which == 1) {
        struct timespec *clock = which == 0 ? &of_day : &since_start;
        advance(clock);
        to->tv_sec = clock->tv_sec;
        to->tv_nsec = clock->tv_nsec;
        return 0;
    }
    long seconds = __VERIFIER_nondet_long(), part = __VERIFIER_nondet_long();
    __vergo_assume(seconds >= 0 && part >= 0 && part < 1000000000);
    to->tv_sec = seconds;
    to->tv_nsec = part;
    return 0;
}

int timespec_get(struct timespec *to, int base)
{
    if (base != 1)
        return 0;
    advance(&of_day);
    to->tv_sec = of_day.tv_sec;
    to->tv_nsec = of_day.tv_nsec;
    return __VERIFIER_nondet_bool() ? 1 : 0;
}

int clock_getres(int which, struct timespec *to)
{
    if (which > 11 || ((which < 0 || which > 1) && __VERIFIER_nondet_bool())) {
        *__errno_location() = 22;
        return -1;
    }
    long part = __vergo_concrete() ? 1 : __VERIFIER_nondet_long();
    __vergo_assume(part > 0 && part < 1000000000);
    if (to != 0) {
        to->tv_sec = 0;
        to->tv_nsec = part;
    }
    return 0;
}

int nanosleep(const struct timespec *much, struct timespec *left)
{
    if (left != 0)
        writes(left, sizeof *left);
    long seconds = much->tv_sec, part = much->tv_nsec;
    if (part < 0 || part > 999999999) {
        *__errno_location() = 22;
        return -1;
    }
    if (!__VERIFIER_nondet_bool())
        return 0;
    if (left != 0) {
        long rest = __VERIFIER_nondet_long(), rest_part = __VERIFIER_nondet_long();
        __vergo_assume(rest >= 0 && rest <= seconds && rest_part >= 0 && rest_part < 1000000000);
        left->tv_sec = rest;
        left->tv_nsec = rest_part;
    }
    *__errno_location() = 4;
    return -1;
}
