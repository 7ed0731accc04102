//@ property: no-data-race
//@ verdict: false
//@ engines: schedules portfolio
// Those of a volatile object are not.
#include <pthread.h>

static volatile int flag;

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
