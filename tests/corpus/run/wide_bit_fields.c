/* Bit-fields wider than `int`: gcc computes in exactly their width. */
int printf(const char *, ...);

struct wide {
    unsigned long long a : 33, b : 40, c : 41;
    long long s : 36;
    unsigned long long whole : 64;
} w = { 0x100000, 0x100000, 0x100000, -3, ~0ull };

static unsigned long long id(unsigned long long x)
{
    return x;
}

int main(void)
{
    printf("%llx %llx %llx\n", id(w.a * w.a), id(w.a * w.b), id(w.a * w.c));
    printf("%llx %llx\n", id(w.b << 32), id(w.b >> 4));
    w.b = 0x8000000001;
    printf("%llx %llx %llx\n", id((w.b << 8) + (w.b >> 32)), id(~w.b), id(-w.b));
    printf("%llx %llx\n", id(w.b + 1), id(w.b + 0x8000000000));
    printf("%lld %lld\n", (long long)(w.s * 2), (long long)(w.s / 2));
    printf("%llx %llx %d\n", (unsigned long long)w.b, w.whole + 1, w.s < 0);
    printf("%llu\n", w.a + w.b);
    w.a = 0x1ffffffff;
    printf("%llx ", id(++w.a));
    printf("%llx ", id(--w.a));
    printf("%llx\n", id(w.a += 5));
    printf("%d %d\n", w.b > w.a, (w.a ? w.b : w.c) == w.b);
    switch (w.b - 0x8000000000) {
    case 1:
        printf("one\n");
        break;
    default:
        printf("other\n");
    }
    return 0;
}
