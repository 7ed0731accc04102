//@ property: no-data-race
//@ verdict: false
//@ engines: exploration portfolio
// The flag is set before all is written.
#include <pthread.h>

static _Atomic int ready;
static int value, *where;

static void *reader(void *argument)
{
    while (!ready)
        ;
    *where = *where + 1;
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    value = 7;
    ready = 1;
    where = &value;
    pthread_join(thread, 0);
    return value - 8;
}
