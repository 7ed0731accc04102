/* Threads of C11, by those of POSIX: success is zero, a lock that is taken is one, an error is two, time that is over is
   four. */

extern unsigned long __vergo_spawn(void *(*)(void *), void *);
extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);
extern int pthread_detach(unsigned long);
extern int pthread_mutex_init(int *, const int *);
extern int pthread_mutex_lock(int *);
extern int pthread_mutex_trylock(int *);
extern int pthread_mutex_unlock(int *);
extern int pthread_cond_init(unsigned *, const void *);
extern int pthread_cond_signal(unsigned *);
extern int pthread_cond_broadcast(unsigned *);
extern int pthread_cond_wait(unsigned *, int *);

int thrd_create(unsigned long *thread, int (*start)(void *), void *argument)
{
    return pthread_create(thread, 0, (void *(*)(void *))start, argument);
}

int thrd_join(unsigned long thread, int *result)
{
    if (result != 0)
        __vergo_unsupported("the result of a thread of C11");
    return pthread_join(thread, 0);
}

int thrd_detach(unsigned long thread)
{
    return pthread_detach(thread);
}

void thrd_yield(void)
{
}

int mtx_init(int *lock, int type)
{
    int kind = (type & 1) != 0 ? 1 : 0;
    return pthread_mutex_init(lock, &kind);
}

void mtx_destroy(int *lock)
{
    writes(lock, sizeof *lock);
}

int mtx_lock(int *lock)
{
    return pthread_mutex_lock(lock);
}

int mtx_trylock(int *lock)
{
    return pthread_mutex_trylock(lock) == 0 ? 0 : 1;
}

int mtx_unlock(int *lock)
{
    return pthread_mutex_unlock(lock);
}

int cnd_init(unsigned *condition)
{
    return pthread_cond_init(condition, 0);
}

void cnd_destroy(unsigned *condition)
{
    writes(condition, sizeof *condition);
}

int cnd_signal(unsigned *condition)
{
    return pthread_cond_signal(condition);
}

int cnd_broadcast(unsigned *condition)
{
    return pthread_cond_broadcast(condition);
}

int cnd_wait(unsigned *condition, int *lock)
{
    return pthread_cond_wait(condition, lock);
}
