//@ check --property thread.deadlock
//@ verdict true
// Each is posted before it is waited for.
#include <pthread.h>
#include <semaphore.h>
static sem_t there, back;
static void *work(void *argument)
{
    sem_wait(&there);
    sem_post(&back);
    return argument;
}
int main(void)
{
    pthread_t thread;
    sem_init(&there, 0, 0);
    sem_init(&back, 0, 0);
    pthread_create(&thread, 0, work, 0);
    sem_post(&there);
    sem_wait(&back);
    pthread_join(thread, 0);
    return 0;
}
