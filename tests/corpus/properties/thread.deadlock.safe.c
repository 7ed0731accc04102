// Both threads take the locks in the same order, and one that waits for the condition is told.
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *work(void *argument)
{
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    is_ready = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&second);
    while (!is_ready)
        pthread_cond_wait(&ready, &second);
    pthread_mutex_unlock(&second);
    pthread_join(thread, 0);
    return 0;
}
