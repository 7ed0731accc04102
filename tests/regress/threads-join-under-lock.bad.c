//@ check --property thread.deadlock
//@ verdict false(thread.deadlock)
// Main waits for a thread that waits for a lock of main.
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *argument)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}
int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    pthread_mutex_unlock(&lock);
    return 0;
}
