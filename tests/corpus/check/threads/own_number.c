//@ property: unreach-call
//@ verdict: true
//@ engines: exploration interleavings portfolio
// A thread knows itself by the name that its creator has for it.
#include <pthread.h>
extern void reach_error(void);

static pthread_t first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int seen;

static void *run(void *argument)
{
    pthread_mutex_lock(&lock);
    seen++;
    if (seen != 1 || (argument == 0) != pthread_equal(pthread_self(), first))
        reach_error();
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t second;
    pthread_mutex_lock(&lock);
    pthread_create(&first, 0, run, 0);
    pthread_create(&second, 0, run, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(first, 0);
    pthread_join(second, 0);
    if (seen != 0 || pthread_equal(pthread_self(), first))
        reach_error();
    return 0;
}
