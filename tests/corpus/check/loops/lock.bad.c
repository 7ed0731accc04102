//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental dar imc ismc kind pdr portfolio
// A lock that is given back without a change of the counter, and then once more.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int locked = 0;

static void lock(void) {
    if (locked)
        reach_error();
    locked = 1;
}

static void unlock(void) {
    if (!locked)
        reach_error();
    locked = 0;
}

int main(void) {
    unsigned old, new = 0;
    do {
        lock();
        old = new;
        if (__VERIFIER_nondet_int()) {
            unlock();
            if (__VERIFIER_nondet_int())
                new++;
        }
    } while (new != old);
    unlock();
    return 0;
}
