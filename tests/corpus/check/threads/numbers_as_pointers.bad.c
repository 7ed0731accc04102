//@ property: no-data-race
//@ verdict: false
//@ engines: schedules portfolio
// The address is there as a number, and nothing in the program says so.
#include <pthread.h>
#include <stdint.h>

static int value;
static uintptr_t number;

static void *step(void *argument)
{
    uintptr_t copy = 0;
    for (int bit = 0; bit < 64; bit++)
        if (number >> bit & 1)
            copy |= (uintptr_t)1 << bit;
    *(int *)copy = 1;
    return argument;
}

int main(void)
{
    pthread_t thread;
    number = (uintptr_t)&value;
    pthread_create(&thread, 0, step, 0);
    return value;
}
