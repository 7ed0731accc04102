/* Locks for readers and writers (POSIX): the first `int` is the number of readers, or -1 for a writer. */

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
    writes(lock, sizeof *lock);
    return 0;
}

int pthread_rwlock_rdlock(int *lock)
{
    __vergo_atomic_begin();
    writes(lock, sizeof *lock);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    __vergo_assume(*lock >= 0);
    *lock = *lock + 1;
    __vergo_atomic_end();
    return 0;
}

int pthread_rwlock_wrlock(int *lock)
{
    __vergo_atomic_begin();
    writes(lock, sizeof *lock);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    __vergo_assume(*lock == 0);
    *lock = -1;
    __vergo_atomic_end();
    return 0;
}

int pthread_rwlock_unlock(int *lock)
{
    __vergo_atomic_begin();
    writes(lock, sizeof *lock);
    __vergo_atomic_end();
    __vergo_atomic_begin();
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
    __vergo_atomic_begin();
    writes(lock, sizeof *lock);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    int busy = *lock != 0;
    if (!busy)
        *lock = -1;
    __vergo_atomic_end();
    return busy ? 16 : 0;
}
