//@ check --property unreach-call --engine products
//@ verdict true
#include <pthread.h>

extern void reach_error(void);
extern void abort(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static int flag;

static void *set(void *unused) {
    flag = 2;
    abort();
    return 0;
}

static void *see(void *unused) {
    if (flag == 1)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, set, 0);
    pthread_create(&b, 0, see, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
