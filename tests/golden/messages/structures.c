//@ test check --engine bmc-incremental --violations first --property arith.division-by-zero
struct point { int x, y; };
struct shape { char name[8]; struct point corners[3]; int n; };

static struct shape shapes[2];

static int area(struct shape s, const struct point *last) {
    return s.n / last->y;
}

int main(void) {
    struct shape s = { "box", { { 1, 2 }, { 3, 4 }, { 5, 0 } }, 3 };
    struct point *last = s.corners;
    shapes[1] = s;
    while (last < s.corners + 3) {
        last++;
    }
    last--;
    const struct point *same = &shapes[1].corners[2];
    return same->y > 0 ? 0 : area(s, last);
}
