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

static int ready, value = 7;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *set(void *unused) {
    pthread_mutex_lock(&lock);
    value = 9;
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    pthread_mutex_lock(&lock);
    int before = value;
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    check(value == before);
    pthread_mutex_unlock(&lock);
    return 0;
}
