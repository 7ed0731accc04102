//@ property: no-data-race
//@ verdict: true
//@ engines: races portfolio
// The second thread starts when the first has ended.
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
    pthread_join(first, 0);
    pthread_create(&second, 0, step, 0);
    pthread_join(second, 0);
    return value;
}
