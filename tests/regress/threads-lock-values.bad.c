//@ check --property unreach-call --engine interleavings
//@ verdict false(unreach-call)
#include <pthread.h>
extern void reach_error(void);

static int a, b;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused) {
    pthread_mutex_lock(&lock);
    a++;
    b++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, add, 0);
    pthread_create(&second, 0, add, 0);
    if (a != b)
        reach_error();
    return 0;
}
