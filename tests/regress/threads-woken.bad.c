//@ check --property thread.deadlock
//@ verdict false(thread.deadlock)
// The signal may come between the look and the wait.
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int go;
static void *wait(void *argument)
{
    pthread_mutex_lock(&lock);
    while (!go)
        pthread_cond_wait(&change, &lock);
    pthread_mutex_unlock(&lock);
    return argument;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, wait, 0);
    go = 1;
    pthread_cond_signal(&change);
    pthread_join(thread, 0);
    return 0;
}
