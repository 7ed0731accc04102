//@ check --property no-data-race --engine races
//@ verdict true
#include <pthread.h>

static pthread_t first, second, seen;

static void *run(void *unused) {
    seen = first;
    return unused;
}

static void *none(void *unused) {
    return unused;
}

int main(void) {
    pthread_create(&first, 0, run, 0);
    pthread_create(&second, 0, none, 0);
    return 0;
}
