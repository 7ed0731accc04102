/* Quotients of complex numbers where the straightforward formula overflows, underflows or loses digits. */
int printf(const char *, ...);

static volatile double values[] = { 1, -3, 0x1p-1022, 0x1p-1074, 0x1.8p-1030, 0x1p1023, -0x1.4p1000, 0x1p-500, 0, 0x1.23456789abcdep30 };
enum { N = 10 };

int main(void)
{
    unsigned long long hash = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k += 1)
                for (int l = 0; l < N; l += 1) {
                    _Complex double a, b;
                    __real__ a = values[i];
                    __imag__ a = values[j];
                    __real__ b = values[k];
                    __imag__ b = values[l];
                    _Complex double q = a / b, p = a * b;
                    double parts[4] = { __real__ q, __imag__ q, __real__ p, __imag__ p };
                    for (int n = 0; n < 4; n++) {
                        union { double d; unsigned long long u; } x = { parts[n] };
                        if (x.d != x.d)
                            x.u = 0x7ff8000000000000;
                        hash = hash * 1099511628211u + x.u;
                    }
                    if (i == j && k == l && i == 9 - k && parts[1] == parts[1])
                        printf("%a %a %a %a\n", parts[0], parts[1], parts[2], parts[3]);
                }
    printf("%llx\n", hash);
    volatile float f = 0x1p-120f, g = 3;
    _Complex float s, t;
    __real__ s = f;
    __imag__ s = g;
    __real__ t = g;
    __imag__ t = f;
    s /= t;
    printf("%a %a\n", __real__ s, __imag__ s);
    volatile long double m = 0x1p-16400L, n = 0x1p16380L;
    _Complex long double x, y;
    __real__ x = m;
    __imag__ x = n;
    __real__ y = m;
    __imag__ y = 5 * m;
    x /= y;
    printf("%d %d\n", __real__ x > 0, __imag__ x < 0);
    return 0;
}
