// The lock is destroyed while it is held.
#include <pthread.h>

int main(void)
{
    pthread_mutex_t lock;
    pthread_mutex_init(&lock, 0);
    pthread_mutex_lock(&lock);
    pthread_mutex_destroy(&lock); //~ thread.destroy-locked
    return 0;
}
