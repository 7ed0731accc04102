/* Mutual exclusion (POSIX). A lock is the first `int` of its object, zero when free, as in glibc's initialisers. Waiting
   is an assumption: executions in which the lock is not free at that moment are other interleavings. */

int pthread_mutex_init(int *lock, const void *attributes)
{
    (void)attributes;
    *lock = 0;
    return 0;
}

int pthread_mutex_destroy(int *lock)
{
    *lock = 0;
    return 0;
}

int pthread_mutex_lock(int *lock)
{
    __vergo_atomic_begin();
    __vergo_assume(*lock == 0);
    *lock = 1;
    __vergo_atomic_end();
    return 0;
}

int pthread_mutex_trylock(int *lock)
{
    __vergo_atomic_begin();
    int busy = *lock != 0;
    if (!busy)
        *lock = 1;
    __vergo_atomic_end();
    return busy ? 16 : 0;
}

int pthread_mutex_unlock(int *lock)
{
    __vergo_atomic_begin();
    *lock = 0;
    __vergo_atomic_end();
    return 0;
}

int pthread_mutexattr_init(void *attributes)
{
    __vergo_writes(attributes, 4);
    return 0;
}

int pthread_mutexattr_destroy(void *attributes)
{
    __vergo_writes(attributes, 4);
    return 0;
}

int pthread_mutexattr_settype(void *attributes, int type)
{
    __vergo_writes(attributes, 4);
    if (type != 0)
        __vergo_unsupported("a recursive mutex");
    return 0;
}

int pthread_spin_init(int *lock, int shared)
{
    (void)shared;
    *lock = 0;
    return 0;
}

int pthread_spin_destroy(int *lock)
{
    *lock = 0;
    return 0;
}

int pthread_spin_lock(int *lock)
{
    return pthread_mutex_lock(lock);
}

int pthread_spin_trylock(int *lock)
{
    return pthread_mutex_trylock(lock);
}

int pthread_spin_unlock(int *lock)
{
    return pthread_mutex_unlock(lock);
}
