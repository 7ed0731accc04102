//@ test check --engine bmc-incremental --violations first --property call.no-body
int measure(int channel);

int main(void) {
    int best = 0;
    for (int i = 0; i < 3; i++) {
        int now = measure(i);
        if (now > best) {
            best = now;
        }
    }
    return best;
}
