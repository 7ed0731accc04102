//@ test check --engine bmc-incremental --property arith --sarif -
int nondet_int(void);

int main(void)
{
    int divisor = nondet_int();
    return 100 / divisor;
}
