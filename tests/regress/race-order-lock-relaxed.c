//@ check --property no-data-race --engine exploration
//@ verdict unknown
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int lock;

static void take(void) {
    int free = 0;
    while (!atomic_compare_exchange_weak_explicit(&lock, &free, 1, memory_order_acquire, memory_order_relaxed))
        free = 0;
}

static void give(void) {
    atomic_store_explicit(&lock, 0, memory_order_release);
}

static void *add(void *unused) {
    take();
    data++;
    give();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    add(0);
    return 0;
}
