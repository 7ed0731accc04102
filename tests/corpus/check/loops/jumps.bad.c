//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental kind portfolio
// A jump leads into the arm that the test did not choose, and an inner loop is passed by at first.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int state = __VERIFIER_nondet_int();
    int left = 0, total = 0;
    while (total < 3) {
        if (state == 4) {
            goto four;
        } else {
            if (state == 5)
                return 0;
        four:
            total++;
        }
        while (left > 0)
            left--;
        left = total;
    }
    if (left == 3)
        reach_error();
    return 0;
}
