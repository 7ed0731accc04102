//@ check --property thread.deadlock
//@ verdict false(thread.deadlock)
// Each takes the lock that the other waits for.
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *work(void *argument)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    sum++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return argument;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    sum++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(thread, 0);
    return 0;
}
