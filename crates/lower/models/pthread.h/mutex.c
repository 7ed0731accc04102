/* Mutual exclusion (POSIX). A lock is laid out as in glibc, so that its initialisers are understood: the first `int` is
   zero when it is free and one more than the number of the thread that holds it otherwise, then comes how often its owner has
   locked it again, and further behind the kind (1 recursive, 2 checking errors, others neither). Waiting is an assumption:
   executions in which the lock is not free at that moment are other interleavings. */

enum { COUNT = 1, KIND = sizeof(long) == 8 ? 4 : 3, RECURSIVE = 1, CHECKING = 2, SIZE = 4 * (KIND + 1) };

extern unsigned long __vergo_thread(void);

int pthread_mutex_init(int *lock, const int *attributes)
{
    writes(lock, SIZE);
    if (attributes != 0)
        reads(attributes, sizeof *attributes);
    if (is_missing())
        return 12;
    __vergo_atomic_begin();
    *lock = 0;
    lock[COUNT] = 0;
    lock[KIND] = attributes != 0 ? *attributes : 0;
    __vergo_atomic_end();
    return 0;
}

int pthread_mutex_destroy(int *lock)
{
    __vergo_atomic_begin();
    writes(lock, sizeof *lock);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    __vergo_claim(*lock == 0, "thread.destroy-locked", "a thread holds the lock that is destroyed");
    *lock = 0;
    __vergo_atomic_end();
    return 0;
}

int pthread_mutex_lock(int *lock)
{
    int again = 0;
    int self = (int)__vergo_thread() + 1;
    __vergo_atomic_begin();
    writes(lock, SIZE);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    __vergo_await(*lock == 0
                      || ((lock[KIND] & 3) == RECURSIVE || (lock[KIND] & 3) == CHECKING) && *lock == self,
                  "the lock that the thread waits for is never unlocked");
    if (*lock == 0) {
        *lock = self;
    } else if ((lock[KIND] & 3) == RECURSIVE) {
        lock[COUNT] = lock[COUNT] + 1;
    } else {
        again = 1;
    }
    __vergo_atomic_end();
    return again ? 35 : 0;
}

int pthread_mutex_trylock(int *lock)
{
    int self = (int)__vergo_thread() + 1;
    __vergo_atomic_begin();
    writes(lock, SIZE);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    int busy = *lock != 0;
    if (!busy) {
        *lock = self;
    } else if ((lock[KIND] & 3) == RECURSIVE && *lock == self) {
        lock[COUNT] = lock[COUNT] + 1;
        busy = 0;
    }
    __vergo_atomic_end();
    return busy ? 16 : 0;
}

int pthread_mutex_timedlock(int *lock, const void *until)
{
    reads(until, 2 * sizeof(long));
    if (__VERIFIER_nondet_bool())
        return pthread_mutex_lock(lock);
    return pthread_mutex_trylock(lock) == 0 ? 0 : 110;
}

int pthread_mutex_unlock(int *lock)
{
    int refused = 0;
    int self = (int)__vergo_thread() + 1;
    __vergo_atomic_begin();
    writes(lock, SIZE);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    __vergo_claim((lock[KIND] & 3) == RECURSIVE || (lock[KIND] & 3) == CHECKING || *lock == self,
                  "thread.unlock-not-held", "the thread does not hold the lock that it unlocks");
    if ((lock[KIND] & 3) == RECURSIVE || (lock[KIND] & 3) == CHECKING)
        refused = *lock != self;
    if (!refused) {
        if ((lock[KIND] & 3) == RECURSIVE && lock[COUNT] != 0)
            lock[COUNT] = lock[COUNT] - 1;
        else
            *lock = 0;
    }
    __vergo_atomic_end();
    return refused ? 1 : 0;
}

int pthread_mutexattr_init(int *attributes)
{
    *attributes = 0;
    return 0;
}

int pthread_mutexattr_destroy(int *attributes)
{
    __vergo_writes(attributes, 4);
    return 0;
}

int pthread_mutexattr_settype(int *attributes, int type)
{
    if (type < 0 || type > 3)
        return 22;
    *attributes = type;
    return 0;
}

int pthread_mutexattr_gettype(const int *attributes, int *type)
{
    *type = *attributes;
    return 0;
}

int pthread_mutexattr_setpshared(int *attributes, int shared)
{
    writes(attributes, sizeof *attributes);
    (void)shared;
    return 0;
}
