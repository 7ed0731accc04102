//@ check --property no-data-race --engine races
//@ verdict true
#include <pthread.h>

static pthread_key_t key;

static void *run(void *unused) {
    pthread_setspecific(key, &key);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, 0);
    pthread_create(&thread, 0, run, 0);
    return 0;
}
