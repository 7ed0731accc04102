//@ property: no-data-race
//@ verdict: true
//@ engines: races portfolio
// Writers are alone.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int table[4];

static int look(int i)
{
    pthread_rwlock_rdlock(&lock);
    int found = table[i];
    pthread_rwlock_unlock(&lock);
    return found;
}

static void *change(void *argument)
{
    pthread_rwlock_wrlock(&lock);
    table[1]++;
    pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, change, 0);
    pthread_create(&second, 0, change, 0);
    return look(1);
}
