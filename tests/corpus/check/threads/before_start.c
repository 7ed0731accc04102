//@ property: no-data-race
//@ verdict: true
//@ engines: races portfolio
// What is written before a thread starts is there for it.
#include <pthread.h>

static int parameter;

static void *use(void *argument)
{
    return parameter ? argument : 0;
}

int main(void)
{
    pthread_t thread;
    parameter = 1;
    pthread_create(&thread, 0, use, 0);
    return 0;
}
