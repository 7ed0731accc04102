//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --engine products
//@ verdict unknown
#include <pthread.h>

extern void reach_error(void);
extern void abort(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static int sum;

static void *add(void *unused) {
    for (int i = 0; i < 3; i++)
        sum = sum + 1;
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, add, 0);
    ;
    if (sum != 3)
        reach_error();
    return 0;
}
