//@ property: no-data-race
//@ verdict: true
//@ engines: races portfolio
// The lock is part of what it protects, and functions take it and give it back.
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
    it->balance += 10;
    leave(it);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, pay, &account);
    pthread_create(&second, 0, pay, &account);
    return 0;
}
