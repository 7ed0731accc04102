//@ check --property no-data-race --engine races
//@ verdict true
#include <pthread.h>

static pthread_attr_t attributes;

static void *run(void *unused) {
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_create(&thread, 0, run, 0);
    return 0;
}
