//@ property: no-data-race
//@ verdict: true
//@ engines: races portfolio
// Both accesses are in atomic sections.
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int ticket;

static void *draw(void *argument)
{
    __VERIFIER_atomic_begin();
    ticket = ticket + 1;
    __VERIFIER_atomic_end();
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, draw, 0);
    __VERIFIER_atomic_begin();
    int seen = ticket;
    __VERIFIER_atomic_end();
    return seen;
}
