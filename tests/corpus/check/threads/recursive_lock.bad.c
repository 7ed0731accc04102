//@ property: unreach-call
//@ verdict: false
//@ engines: schedules portfolio
// A recursive mutex is free when it has been given back as often as it was taken, and not before.
#define _GNU_SOURCE
#include <pthread.h>
extern void reach_error(void);

static pthread_mutex_t lock;
static int inside;

static void *step(void *argument)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    inside = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
    inside = 0;
    return argument;
}

int main(void)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &kind);
    pthread_t thread;
    pthread_create(&thread, 0, step, 0);
    pthread_mutex_lock(&lock);
    if (inside)
        reach_error();
    pthread_mutex_unlock(&lock);
    return 0;
}
