//@ check --property no-data-race --engine exploration
//@ verdict true
#include <pthread.h>

static pthread_t started;
static pthread_spinlock_t lock;

static void *none(void *unused) {
    return unused;
}

static void *run(void *unused) {
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    pthread_spin_lock(&lock);
    pthread_create(&started, 0, none, 0);
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_spin_init(&lock, 0);
    pthread_create(&first, 0, run, 0);
    pthread_create(&second, 0, run, 0);
    return 0;
}
