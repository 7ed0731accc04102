//@ test check --engine bmc-incremental --violations first --property memory.index
struct table {
    int rows[4];
    int size;
};

static int sum(const struct table *t) {
    int sum = 0;
    for (int i = 0; i <= t->size; i++) {
        sum += t->rows[i];
    }
    return sum;
}

int main(void) {
    struct table t = {{1, 2, 3, 4}, 4};
    return sum(&t);
}
