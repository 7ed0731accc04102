/* Variadic functions, `va_list` passed and copied, calls without prototypes and through pointers. */
int printf(const char *, ...);
int vprintf(const char *, __builtin_va_list);
typedef __builtin_va_list va_list;
struct pair { int a; double b; };
struct tiny { char c[3]; };

static double sum(const char *types, ...)
{
    va_list ap;
    double total = 0;
    __builtin_va_start(ap, types);
    for (; *types; types++) {
        switch (*types) {
        case 'i': total += __builtin_va_arg(ap, int); break;
        case 'l': total += __builtin_va_arg(ap, long long); break;
        case 'd': total += __builtin_va_arg(ap, double); break;
        case 'L': total += __builtin_va_arg(ap, long double); break;
        case 'p': total += *__builtin_va_arg(ap, int *); break;
        case 's': { struct pair s = __builtin_va_arg(ap, struct pair); total += s.a + s.b; break; }
        case 't': { struct tiny t = __builtin_va_arg(ap, struct tiny); total += t.c[0] + t.c[2]; break; }
        case 'u': total += __builtin_va_arg(ap, unsigned); break;
        }
    }
    __builtin_va_end(ap);
    return total;
}

static int twice(int n, ...)
{
    va_list a, b;
    int total = 0;
    __builtin_va_start(a, n);
    __builtin_va_copy(b, a);
    for (int i = 0; i < n; i++) total += __builtin_va_arg(a, int);
    for (int i = 0; i < n; i++) total += 10 * __builtin_va_arg(b, int);
    __builtin_va_end(a);
    __builtin_va_end(b);
    return total;
}

static int next(va_list *ap) { return __builtin_va_arg(*ap, int); }

static int by_pointer(int n, ...)
{
    va_list ap;
    int total = 0;
    __builtin_va_start(ap, n);
    while (n--) total = total * 10 + next(&ap);
    __builtin_va_end(ap);
    return total;
}

static void say(const char *format, ...)
{
    va_list ap;
    __builtin_va_start(ap, format);
    vprintf(format, ap);
    __builtin_va_end(ap);
}

int old();
int old(a, b, c) char a; float b; short c; { return a + (int)b * 10 + c * 100; }

int main(void)
{
    int five = 5;
    char c = 'x';
    float f = 1.5f;
    printf("%.2f\n", sum("ildLpst", 1, 2LL, 3.5, (long double)4.25L, &five, (struct pair){6, 0.5}, (struct tiny){{1, 2, 3}}));
    printf("%.2f\n", sum("iLiL", 1, 2.0L, 3, 4.0L));
    printf("%d\n", twice(3, 1, 2, 3));
    printf("%d\n", by_pointer(4, 1, 2, 3, 4));
    say("%d %c %s %.3f %lu %#x %5d|%-5d|%05d\n", -3, c, "str", f, 7UL, 255, 42, 42, 42);
    say("none\n");
    printf("%d\n", old(1, 2.0f, (short)3));
    int (*p)() = old;
    printf("%d\n", p((char)4, 5.0, 6));
    double (*q)(const char *, ...) = sum;
    printf("%.1f\n", q("id", 1, 2.5));
    int (*r)(const char *, ...) = printf;
    r("%s %d\n", "through a pointer", 12);
    return 0;
}
