//@ property: no-data-race
//@ verdict: true
//@ engines: races portfolio
// Reads and writes of an atomic object are atomic.
#include <pthread.h>

static _Atomic int flag;

static void *set(void *argument)
{
    flag = 1;
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    return flag && flag + 1 ? 1 : 0;
}
