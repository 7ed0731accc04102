// Enumerations: packed, wide, negative, forward, as bit-fields, array sizes, in switches and comparisons.
#include <stdio.h>

enum small { S0, S1 = 200 } __attribute__((packed));
enum wide { W0 = 1, W1 = 0x1ffffffffLL, W2 = -1 };
enum unsigned_wide { U0 = 0xffffffffu, U1 = 0x100000000LL };
enum negative { N = -5, N1, N2 };
enum flags { F_A = 1 << 0, F_B = 1 << 1, F_ALL = F_A | F_B | 1 << 31 };
enum { COUNT = sizeof(enum small) * 3, LAST = COUNT - 1 };
typedef enum { RED, GREEN = RED + 5, BLUE } color;
struct holder { enum small s; color c : 4; enum negative n : 4; enum wide w; };
static int table[COUNT] = { [LAST] = 7, [RED] = 1 };
static color next(color c) { return c == BLUE ? RED : c + 1; }
static const char *name(enum negative n) { switch (n) { case N: return "N"; case N1: return "N1"; default: return "?"; } }
enum later; static enum later *unused_pointer; enum later { L };

int main(void) {
    struct holder h = { S1, BLUE, N1, W1 };
    printf("%zu %zu %zu %zu\n", sizeof(enum small), sizeof(enum wide), sizeof(enum unsigned_wide), sizeof(struct holder));
    printf("%d %d %d %lld\n", h.s, h.c, h.n, (long long)h.w);
    h.c = next(h.c); h.n++; h.s += 100; h.w = W2;
    printf("%d %d %d %lld\n", h.c, h.n, h.s, (long long)h.w);
    printf("%d %d %d\n", (enum negative)-1 < 0, (color)-1 < 0, h.c < -1);
    printf("%s %s %s\n", name(N), name(-4), name(N2));
    printf("%d %d %d\n", table[LAST], table[0], (int)(sizeof table / sizeof *table));
    printf("%d %x\n", F_ALL & F_B ? 1 : 2, F_ALL); enum flags f = F_A; f |= F_B; f &= ~F_A; printf("%d\n", f);
    { enum { RED = 40 }; printf("%d\n", RED + GREEN); } enum small s = 300; printf("%d %d\n", s, s == 44);
    unused_pointer = 0; for (color c = RED; c <= BLUE; c++) printf("%d", c); printf("\n"); return 0;
}
