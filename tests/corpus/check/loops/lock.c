//@ property: unreach-call
//@ verdict: true
//@ engines: imc kind portfolio
// A lock that is given back only if the counter changes, and taken again only if it has changed.
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
            new++;
        }
    } while (new != old);
    unlock();
    return 0;
}
