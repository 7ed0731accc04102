//@ property: no-data-race
//@ verdict: true
//@ engines: races portfolio
// The result is read when the thread has ended.
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
    pthread_join(thread, 0);
    return result;
}
