/* Internet addresses and the order of bytes in the network (POSIX). */

unsigned htonl(unsigned x)
{
    return __builtin_bswap32(x);
}

unsigned ntohl(unsigned x)
{
    return __builtin_bswap32(x);
}

unsigned short htons(unsigned short x)
{
    return __builtin_bswap16(x);
}

unsigned short ntohs(unsigned short x)
{
    return __builtin_bswap16(x);
}

/* Reads four decimal numbers below 256 with points between; zero if it is something else. */
static int read_quad(const char *s, unsigned char *to)
{
    for (int i = 0; i < 4; i++) {
        unsigned value = 0, digits = 0;
        for (; *s >= '0' && *s <= '9'; s++) {
            value = value * 10 + (unsigned)(*s - '0');
            if (++digits > 3 || value > 255 || (digits > 1 && s[-(int)digits + 1] == '0'))
                return 0;
        }
        if (digits == 0 || *s != (i < 3 ? '.' : 0))
            return 0;
        s++;
        to[i] = (unsigned char)value;
    }
    return 1;
}

int inet_pton(int family, const char *from, void *to)
{
    if (family == 2) {
        unsigned char bytes[4];
        reads_text(from);
        if (!read_quad(from, bytes))
            return 0;
        for (int i = 0; i < 4; i++)
            ((unsigned char *)to)[i] = bytes[i];
        return 1;
    }
    if (family == 10) {
        reads_text(from);
        writes(to, 16);
        __vergo_approximation("inet_pton");
        if (__VERIFIER_nondet_bool())
            return 0;
        fills(to, 16);
        return 1;
    }
    *__errno_location() = 97;
    return -1;
}

static unsigned write_number(char *to, unsigned n)
{
    unsigned used = 0;
    if (n >= 100)
        to[used++] = (char)('0' + n / 100);
    if (n >= 10)
        to[used++] = (char)('0' + n / 10 % 10);
    to[used++] = (char)('0' + n % 10);
    return used;
}

static unsigned write_quad(char *to, const unsigned char *from)
{
    unsigned used = 0;
    for (int i = 0; i < 4; i++) {
        used += write_number(to + used, from[i]);
        to[used++] = i < 3 ? '.' : 0;
    }
    return used;
}

const char *inet_ntop(int family, const void *from, char *to, unsigned size)
{
    if (family == 2) {
        char text[16];
        unsigned used = write_quad(text, from);
        if (used > size) {
            *__errno_location() = 28;
            return 0;
        }
        for (unsigned i = 0; i < used; i++)
            to[i] = text[i];
        return to;
    }
    if (family == 10) {
        reads(from, 16);
        writes(to, size);
        unsigned length = (unsigned)between(2, 45);
        if (length >= size) {
            *__errno_location() = 28;
            return 0;
        }
        __vergo_approximation("inet_ntop");
        fills(to, length);
        to[length] = 0;
        return to;
    }
    *__errno_location() = 97;
    return 0;
}

char *inet_ntoa(unsigned from)
{
    static char text[16];
    write_quad(text, (const unsigned char *)&from);
    return text;
}

/* The value of a digit, or 99. */
static unsigned digit(char c)
{
    return c >= '0' && c <= '9' ? (unsigned)(c - '0')
        : c >= 'a' && c <= 'f'  ? (unsigned)(c - 'a') + 10
        : c >= 'A' && c <= 'F'  ? (unsigned)(c - 'A') + 10
                                : 99;
}

/* One to four numbers, decimal, octal or hexadecimal, with points between; the last one fills the bytes that are left. White space
   and what is behind it is no part of it. */
int inet_aton(const char *from, void *to)
{
    unsigned address = 0, n = 0;
    reads_text(from);
    for (;;) {
        unsigned base = 10, any = 0;
        unsigned long long value = 0;
        if (*from == '0') {
            base = 8;
            any = 1;
            from++;
            if (*from == 'x' || *from == 'X') {
                base = 16;
                any = 0;
                from++;
            }
        }
        for (; digit(*from) < base; from++) {
            any = 1;
            if (value <= 0xffffffffu)
                value = value * base + digit(*from);
        }
        if (!any)
            return 0;
        if (*from == '.') {
            if (n == 3 || value > 255)
                return 0;
            address |= (unsigned)value << (24 - 8 * n);
            n++;
            from++;
            continue;
        }
        if (*from != 0 && *from != ' ' && !(*from >= '\t' && *from <= '\r'))
            return 0;
        if (value > 0xffffffffu >> 8 * n)
            return 0;
        address |= (unsigned)value;
        break;
    }
    for (int i = 0; i < 4; i++)
        ((unsigned char *)to)[i] = (unsigned char)(address >> (24 - 8 * i));
    return 1;
}

unsigned inet_addr(const char *from)
{
    unsigned address;
    return inet_aton(from, &address) ? address : (unsigned)-1;
}
