//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental
// Without an end, and with many ways to go on.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int open = 0, seen = 0;
    while (1) {
        int request = __VERIFIER_nondet_int();
        if (request == 1) {
            if (open < 3)
                open++;
            continue;
        }
        if (request == 2) {
            if (open > 0)
                open--;
            continue;
        }
        if (request == 3 && open == 3) {
            seen++;
            open = 0;
            continue;
        }
        if (open > 2)
            reach_error();
    }
}
