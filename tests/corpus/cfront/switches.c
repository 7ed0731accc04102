// switch: Duff's device, ranges, fallthrough, nested, 64-bit, negative, no body block.
#include <stdio.h>

static void copy(char *to, const char *from, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7: *to++ = *from++;
    case 6: *to++ = *from++;
    case 5: *to++ = *from++;
    case 4: *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
            } while (--n > 0);
    }
}

static const char *kind(int c) {
    switch (c) {
    case '0' ... '9': return "digit";
    case 'a' ... 'z': case 'A' ... 'Z': return "letter";
    case -128 ... -1: return "negative";
    default: return "other";
    }
}

enum e { A = -2, B, C = 1u << 30 };
static int classify(enum e x) { switch (x) { case A: return 1; case B: return 2; case C: return 3; } return 0; }
static int wide(unsigned long long x) {
    switch (x) { case 0xffffffffffffffffULL: return 1; case 1ULL << 40: return 2; case 0: return 3; }
    return 4;
}
static int narrow(unsigned char c) { switch (c) { case 255: return 1; case 1000 - 1000: return 2; } return 3; }

static int single(int x) { switch (x) case 3: case 4: return 7; return 8; }
static int nested(int x, int y) {
    int r = 0;
    switch (x) {
        int skipped;
    case 1:
        skipped = 5;
        switch (y) { case 1: r += 1; break; default: r += 2; case 7: r += 10; }
        r += skipped;
        break;
    default:
        for (;;) { if (y++ > 3) break; else continue; }
        r = y;
    case 2: r += 100;
    }
    return r;
}

int main(void) {
    char buffer[32] = { 0 };
    copy(buffer, "the quick brown fox", 19);
    printf("%s\n", buffer);
    printf("%s %s %s %s\n", kind('5'), kind('Q'), kind(-7), kind('!'));
    printf("%d %d %d\n", classify(A), classify(B), classify(C));
    printf("%d %d %d %d\n", wide(-1), wide(1ULL << 40), wide(0), wide(9));
    printf("%d %d %d\n", narrow(-1), narrow(0), narrow(4));
    printf("%d %d %d\n", single(3), single(4), single(5));
    printf("%d %d %d %d\n", nested(1, 1), nested(1, 2), nested(2, 0), nested(9, 0));
    int i = 0;
    switch (i) default: if (i) case 5: printf("five\n"); else printf("none\n");
    return 0;
}
