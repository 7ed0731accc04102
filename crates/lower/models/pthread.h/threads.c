/* Threads (POSIX). */

extern unsigned long __vergo_spawn(void *(*)(void *), void *);
extern void *__vergo_join(unsigned long);
extern unsigned long __vergo_thread(void);

static unsigned long started;
/* The size that attributes have with glibc on x86. */
enum { ATTRIBUTES = sizeof(long) == 8 ? 56 : 36 };

int pthread_create(unsigned long *thread, const void *attributes, void *(*start)(void *), void *argument)
{
    if (attributes != 0)
        __vergo_copies(attributes, ATTRIBUTES);
    writes(thread, sizeof *thread);
    if (is_missing())
        return 11;
    __vergo_atomic_begin();
    started = started + 1;
    *thread = __vergo_spawn(start, argument);
    __vergo_atomic_end();
    return 0;
}

int pthread_join(unsigned long thread, void **result)
{
    void *value = __vergo_join(thread);
    if (result != 0)
        *result = value;
    return 0;
}

/* `pthread_exit` in `main`: the process ends when the last thread does. */
void __vergo_leave_main(void)
{
    for (unsigned long i = 1; i <= started; i++)
        __vergo_join(i);
    __vergo_exit_with_handlers(0);
}

int pthread_detach(unsigned long thread)
{
    (void)thread;
    return 0;
}

unsigned long pthread_self(void)
{
    return __vergo_thread();
}

int pthread_equal(unsigned long a, unsigned long b)
{
    return a == b;
}

int pthread_attr_init(void *attributes)
{
    __vergo_writes(attributes, ATTRIBUTES);
    return 0;
}

int pthread_attr_destroy(void *attributes)
{
    __vergo_writes(attributes, ATTRIBUTES);
    return 0;
}

int pthread_attr_setdetachstate(void *attributes, int state)
{
    (void)state;
    __vergo_writes(attributes, ATTRIBUTES);
    return 0;
}

int pthread_attr_setstacksize(void *attributes, size_t size)
{
    (void)size;
    __vergo_writes(attributes, ATTRIBUTES);
    return 0;
}
