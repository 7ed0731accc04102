//@ test check --engine bmc-incremental --violations first --property arith.conversion
extern int __VERIFIER_nondet_int(void);

struct packet {
    unsigned char length;
};

int main(void) {
    struct packet p;
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 256) {
        return 0;
    }
    p.length = n;
    return p.length;
}
