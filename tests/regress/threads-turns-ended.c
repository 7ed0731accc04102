//@ check --property unreach-call --engine products
//@ verdict true
#include <pthread.h>

extern void reach_error(void);
extern void abort(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static int own, other;

static void *ends(void *unused) {
    own = 1;
    abort();
}

static void *counts(void *unused) {
    for (int i = 0; i < 3; i++)
        other++;
    if (other != 3)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, ends, 0);
    pthread_create(&b, 0, counts, 0);
    return 0;
}
