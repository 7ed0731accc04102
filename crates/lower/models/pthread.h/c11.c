/* Threads of C11, by those of POSIX: success is zero, a lock that is taken is one, an error is two, time that is over is
   four. */

extern unsigned long __vergo_spawn(void *(*)(void *), void *);
extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);
extern int pthread_detach(unsigned long);
extern unsigned long pthread_self(void);
extern int pthread_mutex_init(int *, const int *);
extern int pthread_mutex_lock(int *);
extern int pthread_mutex_trylock(int *);
extern int pthread_mutex_unlock(int *);
extern int pthread_cond_init(unsigned *, const void *);
extern int pthread_cond_signal(unsigned *);
extern int pthread_cond_broadcast(unsigned *);
extern int pthread_cond_wait(unsigned *, int *);

/* What threads begin with: their functions give an `int`, those of POSIX a pointer. */
struct __vergo_start { int (*start)(void *); void *argument; };
static struct __vergo_start starts[64];
static unsigned n_starts;

static void *begin(void *at)
{
    struct __vergo_start *one = at;
    return (void *)(ptrdiff_t)one->start(one->argument);
}

int thrd_create(unsigned long *thread, int (*start)(void *), void *argument)
{
    __vergo_atomic_begin();
    unsigned i = n_starts;
    n_starts = i + 1;
    __vergo_atomic_end();
    if (i >= 64)
        __vergo_unsupported("more than 64 threads of C11");
    starts[i].start = start;
    starts[i].argument = argument;
    /* `thrd_nomem` */
    return pthread_create(thread, 0, begin, &starts[i]) == 0 ? 0 : 3;
}

int thrd_join(unsigned long thread, int *result)
{
    void *value;
    pthread_join(thread, &value);
    if (result != 0)
        *result = (int)(ptrdiff_t)value;
    return 0;
}

int thrd_detach(unsigned long thread)
{
    return pthread_detach(thread);
}

unsigned long thrd_current(void)
{
    return pthread_self();
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
