// Both threads hold the lock when they change the sum, and main reads it after both have ended.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *argument)
{
    pthread_mutex_lock(&lock);
    sum = sum + *(int *)argument;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    int one = 1, two = 2;
    pthread_t first, second;
    pthread_create(&first, 0, add, &one);
    pthread_create(&second, 0, add, &two);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return sum - 3;
}
