/* Conditions (POSIX). A waiter may wake without a signal, so every wait may end at once, and signals need not be remembered. It need
   not, either: where it is asked whether threads wait for ever, a wait that does not end by chance ends with a signal. */

extern unsigned long __vergo_thread(void);

/* The condition that each thread waits for, if that is asked. */
enum { WAITERS = 64 };
static unsigned *waits[WAITERS];

extern int pthread_mutex_lock(int *);
extern int pthread_mutex_unlock(int *);

int pthread_cond_init(unsigned *condition, const void *attributes)
{
    if (attributes != 0)
        reads(attributes, 4);
    if (is_missing())
        return 12;
    __vergo_atomic_begin();
    *condition = 0;
    __vergo_atomic_end();
    return 0;
}

int pthread_cond_destroy(unsigned *condition)
{
    __vergo_writes(condition, sizeof *condition);
    return 0;
}

/* A wait that ends at once. */
static void wakes(int *lock)
{
    pthread_mutex_unlock(lock);
    pthread_mutex_lock(lock);
}

int pthread_cond_wait(unsigned *condition, int *lock)
{
    __vergo_atomic_begin();
    writes(condition, sizeof *condition);
    __vergo_atomic_end();
    if (!__vergo_checks("thread.deadlock") || !__vergo_concrete() && __VERIFIER_nondet_bool()) {
        wakes(lock);
        return 0;
    }
    unsigned long self = __vergo_thread();
    if (self >= WAITERS)
        __vergo_unsupported("more than 64 threads of which some wait for conditions");
    __vergo_atomic_begin();
    waits[self] = condition;
    pthread_mutex_unlock(lock);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    __vergo_await(waits[self] == 0, "the condition that the thread waits for is never signalled");
    __vergo_atomic_end();
    pthread_mutex_lock(lock);
    return 0;
}

int pthread_cond_timedwait(unsigned *condition, int *lock, const void *until)
{
    reads(until, 2 * sizeof(long));
    __vergo_atomic_begin();
    writes(condition, sizeof *condition);
    __vergo_atomic_end();
    wakes(lock);
    return __VERIFIER_nondet_bool() ? 110 : 0;
}

/* Wakes one of the threads that wait, any of them, or all. */
static void signals(unsigned *condition, int all)
{
    __vergo_atomic_begin();
    writes(condition, sizeof *condition);
    __vergo_atomic_end();
    if (!__vergo_checks("thread.deadlock"))
        return;
    __vergo_atomic_begin();
    unsigned last = WAITERS;
    for (unsigned i = 0; i < WAITERS; i++)
        if (waits[i] == condition)
            last = i;
    for (unsigned i = 0; i < WAITERS; i++)
        if (waits[i] == condition && (all || i == last || __VERIFIER_nondet_bool())) {
            waits[i] = 0;
            if (!all)
                break;
        }
    __vergo_atomic_end();
}

int pthread_cond_signal(unsigned *condition)
{
    signals(condition, 0);
    return 0;
}

int pthread_cond_broadcast(unsigned *condition)
{
    signals(condition, 1);
    return 0;
}
