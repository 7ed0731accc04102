//@ property: no-data-race
//@ verdict: false
//@ engines: schedules portfolio
// The result is read before.
#include <pthread.h>

static int result;

static void *compute(void *argument)
{
    result = 42;
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, compute, 0);
    int seen = result;
    pthread_join(thread, 0);
    return seen;
}
