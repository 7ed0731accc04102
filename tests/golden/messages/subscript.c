//@ test check --engine bmc-incremental --violations first --property memory.bounds
struct point { int x, y; };

static int width(const struct point *points, int n) {
    return points[n].x - points[0].x;
}

int main(void) {
    struct point line[3] = {{0, 0}, {1, 0}, {2, 0}};
    return width(line, 3);
}
