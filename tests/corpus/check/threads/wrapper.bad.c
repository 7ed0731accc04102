//@ property: no-data-race
//@ verdict: false
//@ engines: schedules portfolio
// It is given back too soon.
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    long balance;
};

static struct account account = { PTHREAD_MUTEX_INITIALIZER, 0 };

static void enter(struct account *it)
{
    pthread_mutex_lock(&it->lock);
}

static void leave(struct account *it)
{
    pthread_mutex_unlock(&it->lock);
}

static void *pay(void *argument)
{
    struct account *it = argument;
    enter(it);
    leave(it);
    it->balance += 10;
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, pay, &account);
    pthread_create(&second, 0, pay, &account);
    return 0;
}
