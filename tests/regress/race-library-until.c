//@ check --property no-data-race --engine races
//@ verdict true
#include <pthread.h>
#include <time.h>

static struct timespec until;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *run(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_mutex_lock(&lock);
    pthread_cond_timedwait(&condition, &lock, &until);
    pthread_mutex_unlock(&lock);
    return 0;
}
