//@ check --property unreach-call --engine thread-modular
//@ verdict true
#include <pthread.h>

extern void reach_error(void);
static void check(int holds) {
    if (!holds)
        reach_error();
}

static int round, sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused) {
    pthread_mutex_lock(&lock);
    sum += round;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t first, second;
    round = 1;
    pthread_create(&first, 0, add, 0);
    pthread_join(first, 0);
    round = 2;
    pthread_create(&second, 0, add, 0);
    pthread_join(second, 0);
    check(sum == 3);
    return 0;
}
