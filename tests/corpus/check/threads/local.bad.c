//@ property: no-data-race
//@ verdict: false
//@ engines: schedules portfolio
// It is changed meanwhile.
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
    given++;
    pthread_join(thread, 0);
    return own + given;
}
