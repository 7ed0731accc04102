// The lock is destroyed when nobody holds it any more.
#include <pthread.h>

int main(void)
{
    pthread_mutex_t lock;
    pthread_rwlock_t shared;
    pthread_mutex_init(&lock, 0);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_destroy(&lock);
    pthread_rwlock_init(&shared, 0);
    pthread_rwlock_rdlock(&shared);
    pthread_rwlock_unlock(&shared);
    pthread_rwlock_destroy(&shared);
    return 0;
}
