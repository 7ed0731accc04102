/* Mutual exclusion (POSIX). A lock is laid out as in glibc, so that its initialisers are understood: the first `int` is
   zero when it is free, then come how often its owner has locked it again, the owner, and the kind (1 recursive, 2
   checking errors, others neither). Waiting is an assumption: executions in which the lock is not free at that moment are
   other interleavings. Only these two kinds have an owner, which is known by its number. */

enum { COUNT = 1, OWNER = 2, KIND = sizeof(long) == 8 ? 4 : 3, RECURSIVE = 1, CHECKING = 2, SIZE = 4 * (KIND + 1) };

extern unsigned long __vergo_thread(void);

int pthread_mutex_init(int *lock, const int *attributes)
{
    writes(lock, SIZE);
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
    *lock = 0;
    __vergo_atomic_end();
    return 0;
}

int pthread_mutex_lock(int *lock)
{
    int again = 0;
    int self = __vergo_thread();
    __vergo_atomic_begin();
    writes(lock, SIZE);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    __vergo_assume(*lock == 0
                   || ((lock[KIND] & 3) == RECURSIVE || (lock[KIND] & 3) == CHECKING) && lock[OWNER] == self);
    if (*lock == 0) {
        *lock = 1;
        if ((lock[KIND] & 3) == RECURSIVE || (lock[KIND] & 3) == CHECKING)
            lock[OWNER] = self;
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
    int self = __vergo_thread();
    __vergo_atomic_begin();
    writes(lock, SIZE);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    int busy = *lock != 0;
    if (!busy) {
        *lock = 1;
        if ((lock[KIND] & 3) == RECURSIVE || (lock[KIND] & 3) == CHECKING)
            lock[OWNER] = self;
    } else if ((lock[KIND] & 3) == RECURSIVE && lock[OWNER] == self) {
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
    int self = __vergo_thread();
    __vergo_atomic_begin();
    writes(lock, SIZE);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    if ((lock[KIND] & 3) == RECURSIVE || (lock[KIND] & 3) == CHECKING)
        refused = *lock == 0 || lock[OWNER] != self;
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
