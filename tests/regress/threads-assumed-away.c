//@ check --property thread.deadlock
//@ verdict true
// An execution that an assumption excludes is no deadlock.
#include <pthread.h>
extern void __VERIFIER_assume(int);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int go;
static void *work(void *argument)
{
    pthread_mutex_lock(&lock);
    __VERIFIER_assume(go == 1);
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
