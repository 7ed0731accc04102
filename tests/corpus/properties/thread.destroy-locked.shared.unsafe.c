// One of two readers has not unlocked.
#include <pthread.h>

int main(void)
{
    pthread_rwlock_t shared;
    pthread_rwlock_init(&shared, 0);
    pthread_rwlock_rdlock(&shared);
    pthread_rwlock_rdlock(&shared);
    pthread_rwlock_unlock(&shared);
    pthread_rwlock_destroy(&shared); //~ thread.destroy-locked
    return 0;
}
