//@ check --property no-data-race --engine races
//@ verdict true
#include <pthread.h>

static pthread_mutex_t first, second;

static void *run(void *unused) {
    pthread_mutex_init(&first, 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_mutex_init(&second, 0);
    return 0;
}
