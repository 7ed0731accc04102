//@ check --property no-data-race --engine schedules
//@ verdict unknown
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void set(memory_order order) {
    atomic_store_explicit(&ready, 1, order);
}

static int is_set(memory_order order) {
    return atomic_load_explicit(&ready, order);
}

static void *send(void *unused) {
    data = 1;
    set(memory_order_release);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, send, 0);
    if (is_set(memory_order_acquire))
        return data;
    return 0;
}
