//@ property: no-data-race
//@ verdict: true
//@ engines: races portfolio
// Members are different places.
#include <pthread.h>

static struct {
    int left;
    int right;
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
