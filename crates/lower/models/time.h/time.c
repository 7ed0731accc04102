/* Dates and times: the clock is the world's (C17 7.27, POSIX). */

extern long __vergo_time(void);
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long tm_gmtoff; const char *tm_zone; };
struct timeval { long tv_sec; long tv_usec; };
struct timespec { long tv_sec; long tv_nsec; };

long time(long *to)
{
    long now = __vergo_time();
    if (to != 0)
        *to = now;
    return now;
}

long clock(void)
{
    long r = __VERIFIER_nondet_long();
    __vergo_assume(r >= 0);
    return r;
}

double difftime(long end, long start)
{
    return (double)end - (double)start;
}

int gettimeofday(struct timeval *to, void *zone)
{
    (void)zone;
    long part = __VERIFIER_nondet_long();
    __vergo_assume(part >= 0 && part < 1000000);
    to->tv_sec = __vergo_time();
    to->tv_usec = part;
    return 0;
}

int clock_gettime(int which, struct timespec *to)
{
    (void)which;
    long part = __VERIFIER_nondet_long();
    __vergo_assume(part >= 0 && part < 1000000000);
    to->tv_sec = __vergo_time();
    to->tv_nsec = part;
    return 0;
}

static int between(int low, int high)
{
    int r = __VERIFIER_nondet_int();
    __vergo_assume(r >= low && r <= high);
    return r;
}

static struct tm broken_down;

struct tm *localtime_r(const long *at, struct tm *to)
{
    (void)*at;
    __vergo_writes(to, sizeof *to);
    to->tm_sec = between(0, 60);
    to->tm_min = between(0, 59);
    to->tm_hour = between(0, 23);
    to->tm_mday = between(1, 31);
    to->tm_mon = between(0, 11);
    to->tm_year = __VERIFIER_nondet_int();
    to->tm_wday = between(0, 6);
    to->tm_yday = between(0, 365);
    to->tm_isdst = between(-1, 1);
    return to;
}

struct tm *gmtime_r(const long *at, struct tm *to)
{
    return localtime_r(at, to);
}

struct tm *localtime(const long *at)
{
    return localtime_r(at, &broken_down);
}

struct tm *gmtime(const long *at)
{
    return localtime_r(at, &broken_down);
}

long mktime(struct tm *at)
{
    __vergo_reads(at, sizeof *at);
    __vergo_writes(at, sizeof *at);
    return __VERIFIER_nondet_long();
}

int nanosleep(const struct timespec *much, struct timespec *left)
{
    __vergo_reads(much, sizeof *much);
    if (left != 0)
        __vergo_writes(left, sizeof *left);
    return 0;
}
