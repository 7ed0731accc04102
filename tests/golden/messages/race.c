//@ test check --deterministic --violations first --property race
#include <pthread.h>

static int counter;

static void *count(void *unused) {
    counter++;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, count, 0);
    counter = 5;
    pthread_join(thread, 0);
    return counter;
}
