//@ property: unreach-call
//@ verdict: false
//@ engines: schedules portfolio
// Both read the sum before one of them writes it.
#include <pthread.h>
extern void reach_error(void);

static int sum;

static void *add(void *argument)
{
    sum++;
    return argument;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, add, 0);
    pthread_create(&second, 0, add, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    if (sum != 2)
        reach_error();
    return 0;
}
