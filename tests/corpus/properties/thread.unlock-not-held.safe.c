// Who unlocks has locked; a recursive mutex says by its result that a thread does not hold it.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *work(void *argument)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&again);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (pthread_mutex_trylock(&lock) == 0)
        pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
