// Bit-fields: layout, promotion, truncation, signedness, unnamed and zero-width ones.
#include <stdio.h>
#include <string.h>

struct mixed {
    unsigned a : 3;
    signed b : 5;
    int c : 7;
    unsigned : 2;
    unsigned d : 15;
    unsigned : 0;
    unsigned char e : 4;
    _Bool f : 1;
    unsigned long long g : 40;
    long long h : 33;
};

enum color { RED, GREEN, BLUE };
struct colored { enum color c : 2; unsigned rest : 30; };

static void dump(const void *p, size_t n) {
    const unsigned char *b = p;
    for (size_t i = 0; i < n; i++) printf("%02x", b[i]);
    printf("\n");
}

int main(void) {
    struct mixed m;
    memset(&m, 0, sizeof m);
    m.a = 9; m.b = -3; m.c = 63; m.d = 0x7fff; m.e = 17; m.f = 4; m.g = 0x123456789aULL; m.h = -5;
    dump(&m, sizeof m);
    printf("%d %d %d %d %d %d\n", m.a, m.b, m.c, m.d, m.e, m.f);
    printf("%llx %lld\n", (unsigned long long)m.g, (long long)m.h);
    // A narrow unsigned bit-field promotes to int: the difference is negative.
    printf("%d\n", m.a - 5 < 0);
    m.a = 7; m.a++; printf("%u\n", m.a);
    m.b = 15; m.b += 1; printf("%d\n", m.b);
    printf("%d\n", (m.c = 64));
    printf("%d\n", (m.f = 2) + (m.f ^= 1));
    struct colored col = { BLUE, 5 };
    col.c = col.c + 1;
    printf("%d %u\n", col.c, col.rest);
    m.g <<= 4; printf("%llx\n", (unsigned long long)m.g);
    printf("%d\n", (int)(m.a << 4 | m.e >> 1));
    unsigned long long big = m.g * 3ULL; printf("%llx\n", big);
    return 0;
}
