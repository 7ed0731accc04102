//@ check --property unreach-call
//@ verdict true
// A comparison of numbers is zero or one.
#include <pthread.h>
extern void reach_error(void);
static pthread_t thread;
static void *work(void *argument)
{
    if (pthread_equal(thread, pthread_self()) == 2)
        reach_error();
    return argument;
}
int main(void)
{
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
