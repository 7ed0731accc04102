//@ check --property unreach-call
//@ verdict false(unreach-call)
#include <pthread.h>

extern void reach_error(void);
extern void abort(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static int left;
static unsigned char given, taken;

static void *give(void *unused) {
    for (unsigned char i = 0; i < given; i++)
        __atomic_fetch_add(&left, 1, __ATOMIC_SEQ_CST);
    return 0;
}

static void *take(void *unused) {
    for (unsigned char i = 0; i < taken; i++) {
        if (__atomic_load_n(&left, __ATOMIC_SEQ_CST) <= 0)
            abort();
        left = left - 1;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    given = __VERIFIER_nondet_uchar();
    taken = __VERIFIER_nondet_uchar();
    pthread_create(&a, 0, give, 0);
    pthread_create(&b, 0, take, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (left != given - taken)
        reach_error();
    return 0;
}
