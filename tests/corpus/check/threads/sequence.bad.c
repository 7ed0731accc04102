//@ property: no-data-race
//@ verdict: false
//@ engines: schedules portfolio
// It starts earlier.
#include <pthread.h>

static int value;

static void *step(void *argument)
{
    value++;
    return argument;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, step, 0);
    pthread_create(&second, 0, step, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return value;
}
