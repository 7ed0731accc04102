//@ property: no-data-race
//@ verdict: true
//@ engines: races portfolio
// The lock is held if it was got.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *argument)
{
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    if (pthread_mutex_trylock(&lock) == 0) {
        sum++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
