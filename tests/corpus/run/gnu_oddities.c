/* Things of GNU C that few programs use. */
int printf(const char *, ...);

static int target = 5;
extern int other_name __attribute__((alias("target")));

void aligned_function(void) __attribute__((aligned(256)));
void aligned_function(void)
{
}

/* The name is the library's: a call of it is an absolute value whatever the program defines. */
long long llabs(long long x)
{
    printf("never\n");
    return x;
}

struct huge { short many[(1ul << (8 * sizeof(long) - 2)) - 256]; int last; };

struct __attribute__((aligned(32))) wide { double a, b; };

static double pick(int n, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, n);
    while (n-- > 0)
        __builtin_va_arg(list, int);
    struct wide w = __builtin_va_arg(list, struct wide);
    __builtin_va_end(list);
    return w.a + w.b;
}

int main(void)
{
    other_name++;
    printf("%d\n", target);
    printf("%d\n", (int)__alignof__(aligned_function));
    printf("%lld\n", llabs(-7));
    printf("%d\n", sizeof(struct huge) > ~0ul / 4);
    printf("%d %d\n", (int)2147483648.0f, (int)(float)-4294967296.0);
    printf("%u\n", (unsigned char)300.0);
    struct wide w = { 1.5, 2.25 };
    printf("%g %g\n", pick(1, 7, w), pick(4, 1, 2, 3, 4, w));
    char *text = __builtin_alloca(4);
    text[0] = 'o', text[1] = 'k', text[2] = 0;
    printf("%s\n", text);
    int x = 6, y = 7;
    __asm__("" : "=r"(x) : "0"(x + 1));
    __asm__("" : "=m"(y) : "m"(y));
    printf("%d %d\n", x, y);
    _Complex float z = __builtin_conjf(1 + 2.0fi);
    printf("%g %g\n", __real__ z, __imag__ z);
    union { double d; unsigned long long u; } nan = { __builtin_nan("0x0") };
    printf("%llx\n", nan.u);
    return 0;
}
