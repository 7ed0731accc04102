/* Barriers (POSIX): how many threads are waited for, how many have come, and how often all have. */

int pthread_barrier_init(unsigned *barrier, const void *attributes, unsigned count)
{
    writes(barrier, 3 * sizeof *barrier);
    if (attributes != 0)
        reads(attributes, 4);
    if (count == 0)
        return 22;
    if (is_missing())
        return 12;
    __vergo_atomic_begin();
    barrier[0] = count;
    barrier[1] = 0;
    barrier[2] = 0;
    __vergo_atomic_end();
    return 0;
}

int pthread_barrier_destroy(unsigned *barrier)
{
    __vergo_atomic_begin();
    writes(barrier, 3 * sizeof *barrier);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    __vergo_claim(barrier[1] == 0, "thread.destroy-locked", "threads wait at the barrier that is destroyed");
    __vergo_atomic_end();
    return 0;
}

int pthread_barrier_wait(unsigned *barrier)
{
    __vergo_atomic_begin();
    writes(barrier, 3 * sizeof *barrier);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    unsigned round = barrier[2];
    barrier[1] = barrier[1] + 1;
    int last = barrier[1] == barrier[0];
    if (last) {
        barrier[1] = 0;
        barrier[2] = round + 1;
    }
    __vergo_atomic_end();
    if (!last) {
        __vergo_atomic_begin();
        __vergo_await(barrier[2] != round, "too few threads come to the barrier");
        __vergo_atomic_end();
    }
    return last ? -1 : 0;
}
