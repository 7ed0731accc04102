//@ property: unreach-call
//@ verdict: false
//@ engines: exploration portfolio
// A waiter relies on having been woken for a reason.
#include <pthread.h>
extern void reach_error(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int n;

static void *take(void *argument)
{
    pthread_mutex_lock(&lock);
    if (n == 0)
        pthread_cond_wait(&filled, &lock);
    n--;
    if (n < 0)
        reach_error();
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, take, 0);
    pthread_create(&two, 0, take, 0);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        n++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
