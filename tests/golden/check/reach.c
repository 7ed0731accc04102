//@ test check --engine bmc-incremental --property unreach-call
//@ test check --engine bmc-incremental --property unreach-call --witness -
//@ test check --engine bmc-incremental --property unreach-call --json -
extern void abort(void);
void reach_error(void) {}
extern int __VERIFIER_nondet_int(void);

static void check(int holds)
{
    if (!holds) {
        reach_error();
        abort();
    }
}

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x > 5 && y == 3 * x)
        check(x != 16);
    return 0;
}
