// Each thread is joined or detached once.
#include <pthread.h>

static void *work(void *argument)
{
    return argument;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    pthread_detach(first);
    pthread_join(second, 0);
    return 0;
}
