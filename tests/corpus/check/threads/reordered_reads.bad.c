//@ property: unreach-call
//@ verdict: false
//@ engines: schedules portfolio
// A thread is seen between the two reads of one expression, the second of which is conditional.
#include <pthread.h>
extern void reach_error(void);

static int x, y;

static void *step(void *argument)
{
    y = 1;
    x = 1;
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, step, 0);
    if (!y && x)
        reach_error();
    return 0;
}
