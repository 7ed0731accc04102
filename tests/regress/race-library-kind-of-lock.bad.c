//@ check --property no-data-race
//@ verdict false(no-data-race)
#include <pthread.h>

static pthread_mutexattr_t kind;
static pthread_mutex_t lock;

static void *run(void *unused) {
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_init(&kind);
    pthread_create(&thread, 0, run, 0);
    pthread_mutex_init(&lock, &kind);
    return 0;
}
