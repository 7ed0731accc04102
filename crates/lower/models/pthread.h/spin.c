/* Locks that are waited for in a loop (POSIX): an `int`, zero when free and one more than the number of the thread that holds it
   otherwise. */

extern unsigned long __vergo_thread(void);

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
    __vergo_atomic_begin();
    writes(lock, sizeof *lock);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    __vergo_claim(*lock == 0, "thread.destroy-locked", "a thread holds the lock that is destroyed");
    __vergo_atomic_end();
    return 0;
}

int pthread_spin_lock(int *lock)
{
    int self = (int)__vergo_thread() + 1;
    __vergo_atomic_begin();
    writes(lock, sizeof *lock);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    __vergo_await(*lock == 0, "the lock that the thread waits for is never unlocked");
    *lock = self;
    __vergo_atomic_end();
    return 0;
}

int pthread_spin_trylock(int *lock)
{
    int self = (int)__vergo_thread() + 1;
    __vergo_atomic_begin();
    writes(lock, sizeof *lock);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    int busy = *lock != 0;
    if (!busy)
        *lock = self;
    __vergo_atomic_end();
    return busy ? 16 : 0;
}

int pthread_spin_unlock(int *lock)
{
    int self = (int)__vergo_thread() + 1;
    __vergo_atomic_begin();
    __vergo_claim(*lock == self, "thread.unlock-not-held", "the thread does not hold the lock that it unlocks");
    *lock = 0;
    __vergo_atomic_end();
    return 0;
}
