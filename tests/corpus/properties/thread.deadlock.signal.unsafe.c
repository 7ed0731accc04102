// The signal comes before anybody waits for it, and is lost.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&ready);
    pthread_cond_wait(&ready, &lock); //~ thread.deadlock
    pthread_mutex_unlock(&lock);
    return 0;
}
