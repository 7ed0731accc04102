/* Locks for readers and writers (POSIX): the first `int` is the number of readers, or -1 for a writer. */

int pthread_rwlock_init(int *lock, const void *attributes)
{
    (void)attributes;
    *lock = 0;
    return 0;
}

int pthread_rwlock_destroy(int *lock)
{
    *lock = 0;
    return 0;
}

int pthread_rwlock_rdlock(int *lock)
{
    __vergo_atomic_begin();
    __vergo_assume(*lock >= 0);
    *lock = *lock + 1;
    __vergo_atomic_end();
    return 0;
}

int pthread_rwlock_wrlock(int *lock)
{
    __vergo_atomic_begin();
    __vergo_assume(*lock == 0);
    *lock = -1;
    __vergo_atomic_end();
    return 0;
}

int pthread_rwlock_unlock(int *lock)
{
    __vergo_atomic_begin();
    if (*lock > 0)
        *lock = *lock - 1;
    else
        *lock = 0;
    __vergo_atomic_end();
    return 0;
}
