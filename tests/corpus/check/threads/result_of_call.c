//@ property: no-data-race
//@ verdict: true
//@ engines: races portfolio
// The result of a call is written when it has returned, and then the lock is held.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static int locked_value(void)
{
    pthread_mutex_lock(&lock);
    return value + 1;
}

static void *step(void *argument)
{
    value = locked_value();
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, step, 0);
    pthread_create(&second, 0, step, 0);
    return 0;
}
