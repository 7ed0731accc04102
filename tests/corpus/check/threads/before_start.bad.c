//@ property: no-data-race
//@ verdict: false
//@ engines: schedules portfolio
// It is written after the start.
#include <pthread.h>

static int parameter;

static void *use(void *argument)
{
    return parameter ? argument : 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, use, 0);
    parameter = 1;
    return 0;
}
