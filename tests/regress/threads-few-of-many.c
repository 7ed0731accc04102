//@ check --property unreach-call
//@ verdict true
#include <pthread.h>

extern void reach_error(void);
extern void abort(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static void *change(void *unused) {
    pthread_mutex_lock(&lock);
    value++;
    value--;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *look(void *unused) {
    pthread_mutex_lock(&lock);
    if (value != 0)
        reach_error();
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a;
    for (int i = 0; i < 300; i++)
        pthread_create(&a, 0, change, 0);
    for (int i = 0; i < 300; i++)
        pthread_create(&a, 0, look, 0);
    return 0;
}
