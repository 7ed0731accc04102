/* Locks that are waited for in a loop (POSIX): an `int`, zero when free. */

int pthread_spin_init(int *lock, int shared)
{
    (void)shared;
    if (is_missing())
        return 12;
    __vergo_atomic_begin();
    *lock = 0;
    __vergo_atomic_end();
    return 0;
}

int pthread_spin_destroy(int *lock)
{
    writes(lock, sizeof *lock);
    return 0;
}

int pthread_spin_lock(int *lock)
{
    __vergo_atomic_begin();
    writes(lock, sizeof *lock);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    __vergo_assume(*lock == 0);
    *lock = 1;
    __vergo_atomic_end();
    return 0;
}

int pthread_spin_trylock(int *lock)
{
    __vergo_atomic_begin();
    writes(lock, sizeof *lock);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    int busy = *lock != 0;
    if (!busy)
        *lock = 1;
    __vergo_atomic_end();
    return busy ? 16 : 0;
}

int pthread_spin_unlock(int *lock)
{
    __vergo_atomic_begin();
    *lock = 0;
    __vergo_atomic_end();
    return 0;
}
