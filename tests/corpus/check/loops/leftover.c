//@ property: unreach-call
//@ verdict: true
//@ engines: kind
// What one loop has put aside is enough for the next, unless there was nothing to do.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int wanted = __VERIFIER_nondet_int(), stock = 0;
    for (int i = 0; i < wanted; i++)
        stock++;
    for (int i = 0; i < wanted; i++) {
        if (stock <= 0)
            reach_error();
        stock--;
    }
    return 0;
}
