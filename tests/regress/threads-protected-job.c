//@ check --property unreach-call --engine thread-modular
//@ verdict true
#include <pthread.h>

extern void reach_error(void);
static void check(int holds) {
    if (!holds)
        reach_error();
}

struct job {
    int from, to;
};

static int done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument) {
    struct job *job = argument;
    check(job->from == 3);
    pthread_mutex_lock(&lock);
    done = job->to;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    struct job job = {3, 4};
    pthread_t thread;
    pthread_create(&thread, 0, work, &job);
    pthread_join(thread, 0);
    check(done == 4);
    return 0;
}
