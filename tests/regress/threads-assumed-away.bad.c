//@ check --property thread.deadlock
//@ verdict false(thread.deadlock)
// A thread ends without giving the lock back.
#include <pthread.h>
extern void __VERIFIER_assume(int);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int go;
static void *work(void *argument)
{
    pthread_mutex_lock(&lock);
    if (go == 0)
        return argument;
    pthread_mutex_unlock(&lock);
    return argument;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&lock);
    go = 0;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
