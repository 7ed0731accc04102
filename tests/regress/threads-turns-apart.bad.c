//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --engine products
//@ verdict unknown
#include <pthread.h>

extern void reach_error(void);
extern void abort(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned first, second, limit;

static void *grow(void *unused) {
    while (first < limit)
        first = first + first;
    return 0;
}

static void *grow_too(void *unused) {
    while (second < limit)
        second = second + second + 1u;
    return 0;
}

int main(void) {
    pthread_t a, b;
    limit = __VERIFIER_nondet_uchar();
    first = second = 1u + __VERIFIER_nondet_uchar();
    pthread_create(&a, 0, grow, 0);
    pthread_create(&b, 0, grow_too, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (first != second)
        reach_error();
    return 0;
}
