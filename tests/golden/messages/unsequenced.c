//@ test check --engine bmc-incremental --violations first --property sequence.unsequenced
int main(void) {
    int table[4] = {0}, i = 0;
    table[i] = i++;
    return table[0];
}
