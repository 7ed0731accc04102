//@ check --property thread.deadlock
//@ verdict false(thread.deadlock)
// Both wait.
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
    sem_wait(&back);
    sem_post(&there);
    pthread_join(thread, 0);
    return 0;
}
