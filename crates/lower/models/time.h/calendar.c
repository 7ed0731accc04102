/* The calendar (C17 7.27.2.3, 7.27.3, POSIX). Dates are exact; the zone, of which only local time knows, is any, the same
   for the same time. */

struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long tm_gmtoff; const char *tm_zone; };

static struct tm broken_down;
extern unsigned __vergo_zone_changes;

/* Quotients that are rounded down. */
static long long quotient(long long a, long long b)
{
    long long q = a / b;
    return q * b > a ? q - 1 : q;
}

/* Days before the first of a month since 1970, by years that begin in March. The month may be any number. */
static long long days_before(long long year, long long month)
{
    year += quotient(month, 12);
    month -= quotient(month, 12) * 12;
    long long y = month < 2 ? year - 1 : year, era = quotient(y, 400);
    long long of_era = y - era * 400, m = month < 2 ? month + 10 : month - 2;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * m + 2) / 5 - 719468;
}

/* Fills in a date; whether its year fits. */
static int break_down(long long at, struct tm *to)
{
    long long days = quotient(at, 86400), rest = at - days * 86400;
    long long shifted = days + 719468, era = quotient(shifted, 146097), of_era = shifted - era * 146097;
    long long year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    long long of_year = of_era - (365 * year + year / 4 - year / 100), m = (5 * of_year + 2) / 153;
    int day = (int)(of_year - (153 * m + 2) / 5) + 1, month = (int)(m < 10 ? m + 2 : m - 10);
    year += era * 400 + (month < 2);
    long long since_1900 = year - 1900;
    if (since_1900 > 2147483647 || since_1900 < -2147483648LL) {
        *__errno_location() = 75;
        return 0;
    }
    to->tm_sec = (int)(rest % 60);
    to->tm_min = (int)(rest / 60 % 60);
    to->tm_hour = (int)(rest / 3600);
    to->tm_mday = day;
    to->tm_mon = month;
    to->tm_year = (int)since_1900;
    to->tm_wday = (int)(days + 4 - quotient(days + 4, 7) * 7);
    to->tm_yday = (int)(days - days_before(year, 0));
    to->tm_isdst = 0;
    to->tm_gmtoff = 0;
    to->tm_zone = "GMT";
    return 1;
}

struct tm *gmtime_r(const long *at, struct tm *to)
{
    writes(to, sizeof *to);
    return break_down(*at, to) ? to : 0;
}

struct tm *gmtime(const long *at)
{
    return gmtime_r(at, &broken_down);
}

/* A number that the zone has for a time; another one after each change of TZ. */
static long long of_zone(long long at, int what)
{
    /* A zone that the program has named has rules, which are not looked up. */
    if (__vergo_zone_changes != 0)
        __vergo_approximation("local time after a change of TZ");
    return __vergo_choice(CHOICE_ZONE, at, what + 16LL * __vergo_zone_changes);
}

/* The zone at a time, in seconds to the east. */
static int zone(long long at)
{
    if (__vergo_concrete())
        return 0;
    long long r = of_zone(at, 0);
    __vergo_assume(r >= -93600 && r <= 93600);
    return (int)r;
}

static int is_summer(long long at)
{
    if (__vergo_concrete())
        return 0;
    long long r = of_zone(at, 1);
    __vergo_assume(r >= -1 && r <= 1);
    return (int)r;
}

/* Whether it can be converted is the implementation's (7.27.3.4p3). */
struct tm *localtime_r(const long *at, struct tm *to)
{
    writes(to, sizeof *to);
    long long time = *at;
    int east = zone(time);
    if ((!__vergo_concrete() && (of_zone(time, 2) & 1) != 0) || !break_down(time + east, to)) {
        *__errno_location() = 75;
        return 0;
    }
    to->tm_isdst = is_summer(time);
    to->tm_gmtoff = east;
    to->tm_zone = __vergo_concrete() ? "UTC" : "LOCAL";
    return to;
}

struct tm *localtime(const long *at)
{
    return localtime_r(at, &broken_down);
}

static long long seconds_of(const struct tm *at)
{
    long long days = days_before(at->tm_year + 1900LL, at->tm_mon) + at->tm_mday - 1LL;
    return days * 86400 + at->tm_hour * 3600LL + at->tm_min * 60LL + at->tm_sec;
}

long timegm(struct tm *at)
{
    writes(at, sizeof *at);
    long long time = seconds_of(at);
    if (time != (long)time || !break_down(time, at)) {
        *__errno_location() = 75;
        return -1;
    }
    return (long)time;
}

/* Clocks are put forward in summer by up to two hours: what is said in winter's time is then later, and what is said in summer's
   time earlier where it is not summer. */
long mktime(struct tm *at)
{
    writes(at, sizeof *at);
    long long there = seconds_of(at), time = there;
    int fails = 0;
    if (!__vergo_concrete()) {
        int summer = at->tm_isdst < 0 ? 0 : at->tm_isdst > 0 ? 2 : 1;
        long long east = of_zone(there, 4 + summer), moved = of_zone(there, 8 + summer);
        __vergo_assume(east >= -93600 && east <= 93600 && (summer == 2 ? moved <= 0 && moved >= -7200 : moved >= 0 && moved <= 7200));
        fails = (of_zone(there, 12 + summer) & 1) != 0;
        there += moved;
        time = there - east;
        __vergo_assume(zone(time) == east && (moved == 0 || summer == 2 || is_summer(time) > 0));
    }
    struct tm normal;
    if (time != (long)time || fails || !break_down(there, &normal)) {
        *__errno_location() = 75;
        return -1;
    }
    normal.tm_isdst = is_summer(time);
    normal.tm_gmtoff = (long)(there - time);
    normal.tm_zone = __vergo_concrete() ? "UTC" : "LOCAL";
    *at = normal;
    return (long)time;
}

void tzset(void)
{
}
