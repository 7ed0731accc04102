//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --engine thread-modular
//@ verdict unknown
#include <pthread.h>

extern void reach_error(void);
extern void abort(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static int here, there;
static pthread_mutex_t lock_here = PTHREAD_MUTEX_INITIALIZER, lock_there = PTHREAD_MUTEX_INITIALIZER;

static void use(pthread_mutex_t *lock, int *value) {
    pthread_mutex_lock(lock);
    if (*value != 0)
        reach_error();
    *value = 1;
    *value = 0;
    pthread_mutex_unlock(lock);
}

static void *first(void *unused) {
    use(&lock_here, &here);
    return 0;
}

static void *second(void *unused) {
    use(&lock_there, &here);
    return 0;
}

int main(void) {
    pthread_t a, b;
    for (int i = 0; i < 10; i++) {
        pthread_create(&a, 0, first, 0);
        pthread_create(&b, 0, second, 0);
    }
    return 0;
}
