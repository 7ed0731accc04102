//@ property: no-data-race
//@ verdict: false
//@ engines: schedules portfolio
// What threads read is written while more are started.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum, n;

static void *add(void *argument)
{
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&lock);
        sum = sum + i;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void)
{
    n = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_int()) {
        pthread_t thread;
        pthread_create(&thread, 0, add, 0);
        n = 3;
    }
    return 0;
}
