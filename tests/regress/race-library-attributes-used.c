//@ check --property no-data-race --engine races
//@ verdict true
#include <pthread.h>

static pthread_attr_t attributes;

static void *run(void *unused) {
    pthread_attr_setstacksize(&attributes, 1 << 20);
    return unused;
}

static void *none(void *unused) {
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_attr_init(&attributes);
    pthread_create(&first, 0, run, 0);
    pthread_join(first, 0);
    pthread_create(&second, &attributes, none, 0);
    return 0;
}
