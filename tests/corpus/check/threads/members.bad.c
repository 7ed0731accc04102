//@ property: no-data-race
//@ verdict: false
//@ engines: schedules portfolio
// Bit-fields next to each other are one place.
#include <pthread.h>

static struct {
    int left : 8;
    int right : 8;
} pair;

static void *right(void *argument)
{
    pair.right = 1;
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, right, 0);
    pair.left = 1;
    return 0;
}
