/* Threads (POSIX). */

extern unsigned long __vergo_spawn(void *(*)(void *), void *);
extern void *__vergo_join(unsigned long);
extern unsigned long __vergo_thread(void);

static unsigned long started;
/* The size that attributes have with glibc on x86; the first `int` of them is not zero for threads that start detached. */
enum { ATTRIBUTES = sizeof(long) == 8 ? 56 : 36 };
/* Which threads have been joined or detached, if that is asked. */
enum { RELEASED = 256 };
static unsigned char released[RELEASED];

/* A thread is joined or detached, which may be done once. */
static void release(unsigned long thread)
{
    if (!__vergo_checks("thread.join-twice")) {
        __vergo_claim(thread == 0, "thread.join-twice", "the thread has been joined or detached before");
        return;
    }
    if (thread >= RELEASED)
        __vergo_unsupported("joins of more than 255 threads, each once");
    __vergo_atomic_begin();
    __vergo_claim(!released[thread], "thread.join-twice", "the thread has been joined or detached before");
    released[thread] = 1;
    __vergo_atomic_end();
}

int pthread_create(unsigned long *thread, const void *attributes, void *(*start)(void *), void *argument)
{
    if (attributes != 0)
        __vergo_copies(attributes, ATTRIBUTES);
    writes(thread, sizeof *thread);
    if (is_missing())
        return 11;
    int detached = __vergo_checks("thread.join-twice") && attributes != 0 && *(const int *)attributes;
    /* The thread may run before its number is known to others. */
    __vergo_atomic_begin();
    started = started + 1;
    unsigned long number = __vergo_spawn(start, argument);
    if (detached && number < RELEASED)
        released[number] = 1;
    __vergo_atomic_end();
    __vergo_atomic_begin();
    *thread = number;
    __vergo_atomic_end();
    return 0;
}

int pthread_join(unsigned long thread, void **result)
{
    release(thread);
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
    release(thread);
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
    if (__vergo_checks("thread.join-twice"))
        *(int *)attributes = 0;
    return 0;
}

int pthread_attr_destroy(void *attributes)
{
    __vergo_writes(attributes, ATTRIBUTES);
    return 0;
}

int pthread_attr_setdetachstate(void *attributes, int state)
{
    __vergo_writes(attributes, ATTRIBUTES);
    if (__vergo_checks("thread.join-twice"))
        *(int *)attributes = state;
    return 0;
}

int pthread_attr_setstacksize(void *attributes, size_t size)
{
    (void)size;
    __vergo_writes(attributes, ATTRIBUTES);
    return 0;
}
