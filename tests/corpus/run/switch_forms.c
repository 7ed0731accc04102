/* `switch` in every form. */
int printf(const char *, ...);

static int ranges(int x)
{
    switch (x) {
    case -5 ... -1: return 1;
    case 0: return 2;
    case 1 ... 9: return 3;
    default: return 4;
    }
}

static int unsigned_ranges(unsigned x)
{
    switch (x) {
    case 0 ... 9: return 1;
    case 0x80000000u ... 0xffffffffu: return 2;
    }
    return 3;
}

static void duff(char *to, const char *from, int count)
{
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}

static int into_blocks(int x)
{
    int r = 0;
    switch (x) {
        int skipped;
    case 1:
        skipped = 10;
        r += skipped;
        {
            int inner = 5;
    case 2:
            inner = 7;
            r += inner;
        }
        break;
    case 3:
        if (r) {
    case 4:
            r += 100;
        } else {
            r += 200;
        }
    default:
        r += 1000;
    }
    return r;
}

static int nested(int x, int y)
{
    switch (x) {
    case 1:
        switch (y) {
        case 1: return 11;
        case 2: break;
        default: return 19;
        }
        return 12;
    case 2:
        for (int i = 0;; i++) {
            switch (i) {
            case 0: continue;
            case 3: goto out;
            default: break;
            }
            if (i == y) break;
        }
        return 20 + y;
    out:
        return 29;
    }
    return 0;
}

static long wide(long long x)
{
    switch (x) {
    case 0x100000000LL: return 1;
    case -1: return 2;
    default: return 3;
    }
}

int main(void)
{
    for (int i = -7; i < 12; i++) printf("%d ", ranges(i));
    printf("\n%d %d %d\n", unsigned_ranges(5), unsigned_ranges(-3), unsigned_ranges(77));
    char to[16] = {0};
    duff(to, "Duff's device", 14);
    printf("%s\n", to);
    for (int i = 0; i < 6; i++) printf("%d ", into_blocks(i));
    printf("\n%d %d %d %d %d %d\n", nested(1, 1), nested(1, 2), nested(1, 3), nested(2, 2), nested(2, 7), nested(3, 3));
    printf("%ld %ld %ld\n", wide(0x100000000LL), wide(-1), wide(0));
    switch (3) case 3: printf("single\n");
    switch (1) { }
    int k = 0;
    switch (k) { for (;;) { case 0: if (k++ > 2) break; continue; } printf("k %d\n", k); }
    return 0;
}
