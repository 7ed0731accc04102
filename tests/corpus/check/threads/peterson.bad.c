//@ property: unreach-call
//@ verdict: false
//@ engines: exploration portfolio
// The turn is given away before the wish is made known.
#include <pthread.h>
extern void reach_error(void);

static _Atomic int wants[2], turn, inside;

static void enter(int own)
{
    turn = 1 - own;
    wants[own] = 1;
    while (wants[1 - own] && turn == 1 - own)
        ;
    if (inside != 0)
        reach_error();
    inside = 1;
    inside = 0;
    wants[own] = 0;
}

static void *first(void *argument)
{
    enter(0);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    enter(1);
    pthread_join(thread, 0);
    return 0;
}
