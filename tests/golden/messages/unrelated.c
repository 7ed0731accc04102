//@ test check --engine bmc-incremental --violations first --property pointer.unrelated
static int head[4], tail[4];

static int *newest = tail;

int main(void) {
    return (int)(newest - head);
}
