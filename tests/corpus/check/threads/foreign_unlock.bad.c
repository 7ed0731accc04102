//@ property: no-data-race
//@ verdict: false
//@ engines: schedules portfolio
// A thread gives back a lock that another holds.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *step(void *argument)
{
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    value++;
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
