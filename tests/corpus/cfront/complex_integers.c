/* Complex numbers of integers, and bit-fields wider than `int` beside them. */
int printf(const char *, ...);

_Complex short pair = 3 - 4i;
struct { unsigned long long a : 40; long long b : 36; } fields = { 0xfffffffff0, -5 };

int main(void)
{
    _Complex int z = pair * (1 + 2i), w = ~z;
    printf("%d %d\n", __real__ z, __imag__ z);
    printf("%d %d\n", __real__(w / 2), __imag__(w - 1));
    printf("%d %d\n", z == w, z != -w);
    unsigned long long x = fields.a + 32, y = fields.a << 8, v = fields.a * fields.a;
    printf("%llx %llx %llx\n", x, y, v);
    long long u = fields.b * 3 - 1;
    printf("%lld %d\n", u, fields.a > 7);
    fields.a += 100;
    printf("%llx\n", (unsigned long long)fields.a);
    return 0;
}
