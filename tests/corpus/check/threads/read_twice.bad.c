//@ property: unreach-call
//@ verdict: false
//@ engines: schedules portfolio

// Each `x` of `x + x` is a read of its own, between which another thread can write.
#include <pthread.h>
extern void reach_error(void);
int x;
static void *writer(void *arg) { x = 1; return arg; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int sum = x + x;
    if (sum == 1) reach_error();
    pthread_join(t, 0);
    return 0;
}
