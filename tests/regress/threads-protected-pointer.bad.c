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

static int here = 1, there = 1;
static int *chosen = &here;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *choose(void *unused) {
    pthread_mutex_lock(&lock);
    chosen = &there;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, choose, 0);
    pthread_mutex_lock(&lock);
    int *to = chosen;
    if (to != 0) {
        *to = 5;
        check(here == 5);
    }
    pthread_mutex_unlock(&lock);
    return 0;
}
