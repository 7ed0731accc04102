//@ check --property unreach-call --engine thread-modular
//@ verdict true
#include <pthread.h>

extern void reach_error(void);
static void check(int holds) {
    if (!holds)
        reach_error();
}

static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused) {
    for (int i = 0; i < 50; i++) {
        pthread_mutex_lock(&lock);
        sum++;
        check(sum > 0);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], 0);
    check(sum == 400);
    return 0;
}
