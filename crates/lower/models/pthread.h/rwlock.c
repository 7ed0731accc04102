/* Locks for readers and writers (POSIX): the first `int` is the number of readers, or for a writer minus one more than the number
   of its thread. */

extern unsigned long __vergo_thread(void);

int pthread_rwlock_init(int *lock, const void *attributes)
{
    if (attributes != 0)
        reads(attributes, 8);
    if (is_missing())
        return 12;
    __vergo_atomic_begin();
    *lock = 0;
    __vergo_atomic_end();
    return 0;
}

int pthread_rwlock_destroy(int *lock)
{
    __vergo_atomic_begin();
    writes(lock, sizeof *lock);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    __vergo_claim(*lock == 0, "thread.destroy-locked", "a thread holds the lock that is destroyed");
    __vergo_atomic_end();
    return 0;
}

int pthread_rwlock_rdlock(int *lock)
{
    __vergo_atomic_begin();
    writes(lock, sizeof *lock);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    __vergo_await(*lock >= 0, "the lock that the thread waits for is never unlocked");
    *lock = *lock + 1;
    __vergo_atomic_end();
    return 0;
}

int pthread_rwlock_wrlock(int *lock)
{
    int self = (int)__vergo_thread() + 1;
    __vergo_atomic_begin();
    writes(lock, sizeof *lock);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    __vergo_await(*lock == 0, "the lock that the thread waits for is never unlocked");
    *lock = -self;
    __vergo_atomic_end();
    return 0;
}

int pthread_rwlock_unlock(int *lock)
{
    int self = (int)__vergo_thread() + 1;
    __vergo_atomic_begin();
    writes(lock, sizeof *lock);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    __vergo_claim(*lock > 0 || *lock == -self, "thread.unlock-not-held",
                  "the thread does not hold the lock that it unlocks");
    if (*lock > 0)
        *lock = *lock - 1;
    else
        *lock = 0;
    __vergo_atomic_end();
    return 0;
}

int pthread_rwlock_tryrdlock(int *lock)
{
    __vergo_atomic_begin();
    writes(lock, sizeof *lock);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    int busy = *lock < 0;
    if (!busy)
        *lock = *lock + 1;
    __vergo_atomic_end();
    return busy ? 16 : 0;
}

int pthread_rwlock_trywrlock(int *lock)
{
    int self = (int)__vergo_thread() + 1;
    __vergo_atomic_begin();
    writes(lock, sizeof *lock);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    int busy = *lock != 0;
    if (!busy)
        *lock = -self;
    __vergo_atomic_end();
    return busy ? 16 : 0;
}
