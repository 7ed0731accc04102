//@ check --property no-data-race --engine races
//@ verdict true
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int count;

static void *run(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&condition, &lock);
    count++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, run, 0);
    pthread_create(&second, 0, run, 0);
    pthread_cond_broadcast(&condition);
    return 0;
}
