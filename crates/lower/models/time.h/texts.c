/* Dates as text in the "C" locale (C17 7.27.3.1, 7.27.3.2, 7.27.3.5, POSIX). */

struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long tm_gmtoff; const char *tm_zone; };

extern struct tm *localtime(const long *);
extern struct tm *localtime_r(const long *, struct tm *);

static const char days[7][10] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" };
static const char months[12][10] = { "January", "February", "March", "April", "May", "June", "July", "August", "September",
                                     "October", "November", "December" };

/* Where text goes, and how much there is room for. */
struct __vergo_room { char *to; size_t used, size; };

static void put(struct __vergo_room *room, char c)
{
    if (room->used < room->size)
        room->to[room->used] = c;
    room->used++;
}

/* A number with at least so many digits, filled up with a character. */
static void put_number(struct __vergo_room *room, long long n, int width, char filling)
{
    char digits[20];
    int count = 0;
    unsigned long long rest = n < 0 ? -(unsigned long long)n : (unsigned long long)n;
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (n < 0) {
        put(room, '-');
        width--;
    }
    for (int i = count; i < width; i++)
        put(room, filling);
    while (count > 0)
        put(room, digits[--count]);
}

static void put_text(struct __vergo_room *room, const char *s, size_t most)
{
    for (size_t i = 0; i < most && s[i] != 0; i++)
        put(room, s[i]);
}

/* The exact text needs a date; outside of these ranges it is undefined (7.27.3.1p3). */
static int is_date(const struct tm *at)
{
    return at->tm_wday >= 0 && at->tm_wday < 7 && at->tm_mon >= 0 && at->tm_mon < 12;
}

char *asctime_r(const struct tm *at, char *to)
{
    __vergo_copies(at, sizeof *at);
    writes(to, 26);
    struct __vergo_room room = { to, 0, 26 };
    __vergo_claim(is_date(at) && at->tm_mday >= 0 && at->tm_mday <= 99 && at->tm_hour >= 0 && at->tm_hour <= 99
                      && at->tm_min >= 0 && at->tm_min <= 99 && at->tm_sec >= 0 && at->tm_sec <= 99
                      && at->tm_year >= -2899 && at->tm_year <= 8099,
                  "memory.bounds", "the date does not fit the 26 bytes of its text");
    put_text(&room, days[at->tm_wday], 3);
    put(&room, ' ');
    put_text(&room, months[at->tm_mon], 3);
    put_number(&room, at->tm_mday, 3, ' ');
    put(&room, ' ');
    put_number(&room, at->tm_hour, 2, '0');
    put(&room, ':');
    put_number(&room, at->tm_min, 2, '0');
    put(&room, ':');
    put_number(&room, at->tm_sec, 2, '0');
    put(&room, ' ');
    put_number(&room, at->tm_year + 1900LL, 1, '0');
    put(&room, '\n');
    put(&room, 0);
    return to;
}

char *asctime(const struct tm *at)
{
    static char text[26];
    return asctime_r(at, text);
}

char *ctime_r(const long *at, char *to)
{
    struct tm date;
    struct tm *local = localtime_r(at, &date);
    return local == 0 ? 0 : asctime_r(local, to);
}

char *ctime(const long *at)
{
    struct tm *local = localtime(at);
    return local == 0 ? 0 : asctime(local);
}

static int hour_of_twelve(const struct tm *at)
{
    int hour = at->tm_hour % 12;
    return hour == 0 ? 12 : hour;
}

static void put_format(struct __vergo_room *room, const char *format, const struct tm *at);

static void put_conversion(struct __vergo_room *room, char kind, const struct tm *at)
{
    switch (kind) {
    case 'a': put_text(room, days[at->tm_wday], 3); break;
    case 'A': put_text(room, days[at->tm_wday], 9); break;
    case 'b':
    case 'h': put_text(room, months[at->tm_mon], 3); break;
    case 'B': put_text(room, months[at->tm_mon], 9); break;
    case 'c': put_format(room, "%a %b %e %H:%M:%S %Y", at); break;
    case 'C': put_number(room, (at->tm_year + 1900LL) / 100, 2, '0'); break;
    case 'd': put_number(room, at->tm_mday, 2, '0'); break;
    case 'D':
    case 'x': put_format(room, "%m/%d/%y", at); break;
    case 'e': put_number(room, at->tm_mday, 2, ' '); break;
    case 'F': put_format(room, "%Y-%m-%d", at); break;
    case 'H': put_number(room, at->tm_hour, 2, '0'); break;
    case 'I': put_number(room, hour_of_twelve(at), 2, '0'); break;
    case 'j': put_number(room, at->tm_yday + 1LL, 3, '0'); break;
    case 'm': put_number(room, at->tm_mon + 1LL, 2, '0'); break;
    case 'M': put_number(room, at->tm_min, 2, '0'); break;
    case 'n': put(room, '\n'); break;
    case 'p': put_text(room, at->tm_hour >= 12 ? "PM" : "AM", 2); break;
    case 'r': put_format(room, "%I:%M:%S %p", at); break;
    case 'R': put_format(room, "%H:%M", at); break;
    case 'S': put_number(room, at->tm_sec, 2, '0'); break;
    case 't': put(room, '\t'); break;
    case 'T':
    case 'X': put_format(room, "%H:%M:%S", at); break;
    case 'u': put_number(room, at->tm_wday == 0 ? 7 : at->tm_wday, 1, '0'); break;
    case 'U': put_number(room, (at->tm_yday + 7 - at->tm_wday) / 7, 2, '0'); break;
    case 'w': put_number(room, at->tm_wday, 1, '0'); break;
    case 'W': put_number(room, (at->tm_yday + 7 - (at->tm_wday + 6) % 7) / 7, 2, '0'); break;
    case 'y': put_number(room, ((at->tm_year % 100) + 100) % 100, 2, '0'); break;
    case 'Y': put_number(room, at->tm_year + 1900LL, 1, '0'); break;
    case '%': put(room, '%'); break;
    default: __vergo_unsupported("a conversion of `strftime` that depends on the week or the zone");
    }
}

static void put_format(struct __vergo_room *room, const char *format, const struct tm *at)
{
    for (; *format != 0; format++) {
        if (*format != '%') {
            put(room, *format);
            continue;
        }
        format++;
        if (*format == 'E' || *format == 'O')
            format++;
        if (*format == 0)
            return;
        put_conversion(room, *format, at);
    }
}

/* The text of these conversions; a member outside of its range gives text that the standard does not fix (7.27.3.5p3). */
size_t strftime(char *to, size_t size, const char *format, const struct tm *at)
{
    struct __vergo_room room = { to, 0, size };
    writes(to, size);
    __vergo_copies(at, sizeof *at);
    takes_text(format);
    if (!is_date(at))
        __vergo_unsupported("a date outside of the calendar in `strftime`");
    put_format(&room, format, at);
    put(&room, 0);
    return room.used > size ? 0 : room.used - 1;
}
