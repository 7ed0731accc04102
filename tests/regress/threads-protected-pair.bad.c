//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --engine thread-modular
//@ verdict unknown
#include <pthread.h>

extern void reach_error(void);
static void check(int holds) {
    if (!holds)
        reach_error();
}

extern _Bool __VERIFIER_nondet_bool(void);

static int left, right;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *move(void *unused) {
    int by = 1;
    pthread_mutex_lock(&lock);
    left = by;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    right = by;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_bool())
        pthread_create(&thread, 0, move, 0);
    pthread_mutex_lock(&lock);
    check(left == right);
    pthread_mutex_unlock(&lock);
    return 0;
}
