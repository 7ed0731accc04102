// A thread takes a lock that it holds already.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *work(void *argument)
{
    pthread_mutex_lock(&lock);
    sum = sum + 1;
    pthread_mutex_lock(&lock); //~ thread.deadlock
    sum = sum + 1;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
