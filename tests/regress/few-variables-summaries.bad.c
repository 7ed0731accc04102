//@ check --property unreach-call --engine localisation
//@ verdict false(unreach-call)
/* A lock in a loop, taken by functions that can fail, beside memory from outside that has nothing to do with it. */
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
struct device { int open; struct device *next; };
static int held, state;
static void lock(void) { if (held) reach_error(); held = 1; }
static void unlock(void) { if (!held) reach_error(); held = 0; }
static int work(struct device *device) {
    int i, sum = 0;
    for (i = 0; i < 2; i++) { device->open += i; sum += device->open; device = device->next; }
    return sum;
}
static int probe(struct device *device) {
    int err;
    lock();
    err = work(device);
    if (err < 0) return -1;
    unlock();
    return 0;
}
static void release(struct device *device) { lock(); work(device); unlock(); }
int main(void) {
    struct device *device = __VERIFIER_nondet_pointer();
    for (;;) {
        int choice = __VERIFIER_nondet_int();
        if (choice == 0 && state == 0) { if (probe(device) == 0) state = 1; }
        else if (choice == 1 && state == 1) { release(device); state = 0; }
        else if (choice == 2 && state == 0) break;
    }
    if (held) reach_error();
    return 0;
}
