/* Conditions (POSIX). A waiter may wake without a signal, so every wait may end at once, and signals are not remembered. */

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

int pthread_cond_wait(unsigned *condition, int *lock)
{
    writes(condition, sizeof *condition);
    pthread_mutex_unlock(lock);
    pthread_mutex_lock(lock);
    return 0;
}

int pthread_cond_timedwait(unsigned *condition, int *lock, const void *until)
{
    reads(until, 2 * sizeof(long));
    pthread_cond_wait(condition, lock);
    return __VERIFIER_nondet_bool() ? 110 : 0;
}

int pthread_cond_signal(unsigned *condition)
{
    __vergo_atomic_begin();
    writes(condition, sizeof *condition);
    __vergo_atomic_end();
    return 0;
}

int pthread_cond_broadcast(unsigned *condition)
{
    return pthread_cond_signal(condition);
}
