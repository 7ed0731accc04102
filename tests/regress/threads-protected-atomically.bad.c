//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --engine thread-modular
//@ verdict unknown
#include <pthread.h>

extern void reach_error(void);
static void check(int holds) {
    if (!holds)
        reach_error();
}

static int sum;

static void *add(void *unused) {
    for (int i = 0; i < 10; i++)
        sum += 2;
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, add, 0);
    pthread_create(&second, 0, add, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    check(sum == 40);
    return 0;
}
