//@ test check --engine bmc-incremental --violations first --property call.type
static int add(int x, int y) {
    return x + y;
}

typedef long (*handler)(long);

int main(void) {
    handler h = (handler)add;
    return (int)h(1);
}
