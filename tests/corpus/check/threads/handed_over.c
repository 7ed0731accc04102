//@ property: no-data-race
//@ verdict: true
//@ engines: exploration portfolio
// What is written before a flag is set is read after it was seen.
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
    where = &value;
    ready = 1;
    pthread_join(thread, 0);
    return value - 8;
}
