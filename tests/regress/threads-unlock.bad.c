//@ check --property thread.unlock-not-held
//@ verdict false(thread.unlock-not-held)
// Who did not get the lock gives it back, too.
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users;
static void *work(void *argument)
{
    if (pthread_mutex_trylock(&lock) == 0) {
        users++;
    }
    pthread_mutex_unlock(&lock);
    return argument;
}
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
