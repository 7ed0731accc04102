//@ property: no-data-race
//@ verdict: true
//@ engines: races portfolio
// Who waits for a thread waits for those that it has waited for.
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
    pthread_join(thread, 0);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, outer, 0);
    pthread_join(thread, 0);
    return deep;
}
