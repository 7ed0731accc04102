//@ test check --engine bmc-incremental --violations first --property reach.unreachable
enum colour { red, green, blue };

static int cost(enum colour c) {
    switch (c) {
    case red:
        return 3;
    case green:
        return 4;
    default:
        __builtin_unreachable();
    }
}

int main(void) {
    return cost(blue);
}
