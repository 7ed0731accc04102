//@ check --property no-data-race
//@ verdict false(no-data-race)
#include <pthread.h>

static pthread_t first, second, seen;

static void *run(void *unused) {
    seen = second;
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
