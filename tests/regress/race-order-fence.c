//@ check --property no-data-race --engine exploration
//@ verdict unknown
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *send(void *unused) {
    data = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, send, 0);
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        return atomic_thread_fence(memory_order_acquire), data;
    return 0;
}
