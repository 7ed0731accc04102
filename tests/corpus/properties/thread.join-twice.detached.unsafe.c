// The thread starts detached, and is joined.
#include <pthread.h>

static void *work(void *argument)
{
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, work, 0);
    pthread_join(thread, 0); //~ thread.join-twice
    return 0;
}
