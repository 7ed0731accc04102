/* Semaphores (POSIX): the first `unsigned` of the object is the value. */

int sem_init(unsigned *semaphore, int shared, unsigned value)
{
    (void)shared;
    __vergo_atomic_begin();
    *semaphore = value;
    __vergo_atomic_end();
    return 0;
}

int sem_destroy(unsigned *semaphore)
{
    __vergo_writes(semaphore, sizeof *semaphore);
    return 0;
}

int sem_wait(unsigned *semaphore)
{
    __vergo_atomic_begin();
    writes(semaphore, sizeof *semaphore);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    __vergo_await(*semaphore > 0, "the semaphore that the thread waits for is never posted");
    *semaphore = *semaphore - 1;
    __vergo_atomic_end();
    return 0;
}

int sem_trywait(unsigned *semaphore)
{
    __vergo_atomic_begin();
    writes(semaphore, sizeof *semaphore);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    int free = *semaphore > 0;
    if (free)
        *semaphore = *semaphore - 1;
    __vergo_atomic_end();
    if (!free)
        *__errno_location() = 11;
    return free ? 0 : -1;
}

int sem_post(unsigned *semaphore)
{
    __vergo_atomic_begin();
    writes(semaphore, sizeof *semaphore);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    *semaphore = *semaphore + 1;
    __vergo_atomic_end();
    return 0;
}

int sem_getvalue(unsigned *semaphore, int *value)
{
    __vergo_atomic_begin();
    int now = (int)*semaphore;
    __vergo_atomic_end();
    *value = now;
    return 0;
}
