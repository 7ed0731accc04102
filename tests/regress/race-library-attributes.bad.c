//@ check --property no-data-race
//@ verdict false(no-data-race)
#include <pthread.h>

static pthread_attr_t attributes;

static void *run(void *unused) {
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_attr_init(&attributes);
    return 0;
}
