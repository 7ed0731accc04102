//@ property: no-data-race
//@ verdict: false
//@ engines: schedules portfolio
// The lock is given back before the call returns.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static int locked_value(void)
{
    pthread_mutex_lock(&lock);
    int next = value + 1;
    pthread_mutex_unlock(&lock);
    return next;
}

static void *step(void *argument)
{
    value = locked_value();
    return argument;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, step, 0);
    pthread_create(&second, 0, step, 0);
    return 0;
}
