//@ property: no-data-race
//@ verdict: false
//@ engines: schedules portfolio
// Nobody waits for the inner thread.
#include <pthread.h>

static int deep;

static void *inner(void *argument)
{
    deep = 1;
    return argument;
}

static void *outer(void *argument)
{
    pthread_t thread;
    pthread_create(&thread, 0, inner, 0);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, outer, 0);
    pthread_join(thread, 0);
    return deep;
}
