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

static int occupied;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *put(void *unused) {
    pthread_mutex_lock(&lock);
    int room = occupied < 3;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (room)
        occupied++;
    check(occupied <= 3);
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *get(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        check(occupied >= 0);
        if (occupied > 0)
            occupied--;
        pthread_mutex_unlock(&lock);
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, get, 0);
    while (__VERIFIER_nondet_bool())
        pthread_create(&thread, 0, put, 0);
    return 0;
}
