//@ test check --engine bmc-incremental
//@ test check --engine bmc-incremental --property no-overflow
//@ test check --engine bmc-incremental --property no-overflow --witness -
int nondet_int(void);

int main(void)
{
    int total = 0;
    for (int i = 0; i < 4; i++) {
        int v = nondet_int();
        if (v < 0 || v > 100)
            continue;
        total += v;
    }
    return total / 4;
}
