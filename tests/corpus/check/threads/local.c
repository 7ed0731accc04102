//@ property: no-data-race
//@ verdict: true
//@ engines: races portfolio
// A local variable is shared if its address is given away, and is left alone until the thread has ended.
#include <pthread.h>

static void *fill(void *argument)
{
    *(int *)argument = 7;
    return 0;
}

int main(void)
{
    int own = 0, given = 0;
    pthread_t thread;
    pthread_create(&thread, 0, fill, &given);
    own++;
    pthread_join(thread, 0);
    return own + given;
}
