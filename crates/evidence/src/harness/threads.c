
/* The order of the threads' steps. The compiler calls a function before each access of memory (-fsanitize=thread), and
   calls that synchronise come here first (--wrap). Whoever comes to a step of the order waits until all before it are made; a
   step is over when its thread comes to the next. What is in no order passes. A step that nobody comes to is given up. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <threads.h>
#include <time.h>

/* All times in microseconds. */
enum { VERGO_POLL = 50, VERGO_GIVE_UP = 400000, VERGO_GRACE = 3000000, VERGO_LOOK_AHEAD = 16 };

static unsigned char vergo_done[sizeof vergo_order / sizeof *vergo_order];
static int vergo_head;
static int vergo_n_threads;
static __thread int vergo_me;
static __thread int vergo_step = -1;
static __thread int vergo_from;
static __thread int vergo_in_section, vergo_has_waited;
static __thread char *vergo_stack_low, *vergo_stack_high;

VERGO_OWN static long long vergo_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

VERGO_OWN static void vergo_set_done(int step)
{
    __atomic_store_n(&vergo_done[step], 1, __ATOMIC_SEQ_CST);
}

VERGO_OWN static int vergo_is_done(int step)
{
    return __atomic_load_n(&vergo_done[step], __ATOMIC_SEQ_CST);
}

/* The first step that is not made. */
VERGO_OWN static int vergo_next_step(void)
{
    int head = __atomic_load_n(&vergo_head, __ATOMIC_SEQ_CST);
    int next = head;
    while (next < vergo_n_steps && vergo_is_done(next))
        next++;
    if (next != head)
        __atomic_compare_exchange_n(&vergo_head, &head, next, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return next;
}

/* Waits until all steps before one are made. */
VERGO_OWN static void vergo_wait_for(int step)
{
    int seen = -1;
    long long since = 0;
    for (;;) {
        int next = vergo_next_step();
        if (next >= step)
            return;
        if (next != seen) {
            seen = next;
            since = vergo_now();
        } else if (vergo_now() - since > VERGO_GIVE_UP) {
            vergo_set_done(next);
        }
        usleep(VERGO_POLL);
    }
}

VERGO_OWN static void vergo_end_step(void)
{
    if (vergo_step >= 0)
        vergo_set_done(vergo_step);
    vergo_step = -1;
}

/* A thread that has no step left waits for the end of the order, and lets the one that fails go first. */
VERGO_OWN static void vergo_wait_for_end(void)
{
    vergo_wait_for(vergo_n_steps);
    if (vergo_me != vergo_failing && !vergo_has_waited)
        usleep(VERGO_GRACE);
    vergo_has_waited = 1;
}

/* The present thread comes to something that may be a step. */
VERGO_OWN static void vergo_arrive(int kind, unsigned size)
{
    if (vergo_in_section)
        return;
    vergo_end_step();
    if (vergo_next_step() >= vergo_n_steps) {
        if (vergo_me != vergo_failing)
            vergo_wait_for_end();
        return;
    }
    int looked_at = 0;
    for (int i = vergo_from; i < vergo_n_steps && looked_at < VERGO_LOOK_AHEAD; i++) {
        if (vergo_order[i].thread != vergo_me)
            continue;
        looked_at++;
        if (vergo_order[i].kind != kind || vergo_order[i].size != size)
            continue;
        for (int j = vergo_from; j < i; j++)
            if (vergo_order[j].thread == vergo_me)
                vergo_set_done(j);
        vergo_from = i + 1;
        vergo_wait_for(i);
        vergo_step = i;
        return;
    }
    if (looked_at == 0)
        vergo_wait_for_end();
}

/* An atomic section is one step. */
VERGO_OWN static void vergo_section(int begins)
{
    if (begins)
        vergo_arrive(VERGO_SECTION, 0);
    vergo_in_section = begins;
    if (!begins)
        vergo_end_step();
}

/* A thread ends: nobody waits for its steps. */
VERGO_OWN static void vergo_leave(void)
{
    vergo_end_step();
    for (int i = 0; i < vergo_n_steps; i++)
        if (vergo_order[i].thread == vergo_me)
            vergo_set_done(i);
}

VERGO_OWN __attribute__((destructor)) static void vergo_main_ends(void)
{
    vergo_leave();
    if (vergo_failing != 0) {
        vergo_wait_for(vergo_n_steps);
        usleep(VERGO_GRACE);
    }
}

/* A thread for which an assumption is false does not go on. */
VERGO_OWN static void vergo_stop(void)
{
    vergo_leave();
    vergo_wait_for(vergo_n_steps);
    usleep(VERGO_GRACE);
}

VERGO_OWN static void vergo_alarm(int signal)
{
    (void)signal;
    if (vergo_is_deadlock && vergo_next_step() >= vergo_n_steps)
        vergo_report("the threads wait for ever", 10);
    vergo_report("the order cannot be forced", 30);
}

VERGO_OWN __attribute__((constructor)) static void vergo_set_alarm(void)
{
    signal(SIGALRM, vergo_alarm);
    alarm(vergo_is_deadlock ? 5 : 30);
}

struct vergo_start {
    void *(*start)(void *);
    void *argument;
    int number;
};

VERGO_OWN static void *vergo_run_thread(void *of)
{
    struct vergo_start start = *(struct vergo_start *)of;
    vergo_me = start.number;
    void *result = start.start(start.argument);
    vergo_leave();
    return result;
}

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
VERGO_OWN int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    struct vergo_start *of = malloc(sizeof *of);
    vergo_arrive(VERGO_pthread_create, 0);
    of->start = start;
    of->argument = argument;
    of->number = __atomic_add_fetch(&vergo_n_threads, 1, __ATOMIC_SEQ_CST);
    int result = __real_pthread_create(thread, attributes, vergo_run_thread, of);
    vergo_end_step();
    return result;
}

void __real_pthread_exit(void *) __attribute__((noreturn));
VERGO_OWN void __wrap_pthread_exit(void *result)
{
    vergo_leave();
    __real_pthread_exit(result);
}

int __real_pthread_join(pthread_t, void **);
VERGO_OWN int __wrap_pthread_join(pthread_t thread, void **result)
{
    vergo_end_step();
    return __real_pthread_join(thread, result);
}

#define VERGO_CALL_AS(name, type, of) \
    int __real_##name(type *); \
    VERGO_OWN int __wrap_##name(type *object) \
    { \
        vergo_arrive(VERGO_##of, 0); \
        int result = __real_##name(object); \
        vergo_end_step(); \
        return result; \
    }
#define VERGO_CALL(name, type) VERGO_CALL_AS(name, type, name)
VERGO_CALL(pthread_mutex_lock, pthread_mutex_t)
VERGO_CALL(pthread_mutex_trylock, pthread_mutex_t)
VERGO_CALL(pthread_mutex_unlock, pthread_mutex_t)
VERGO_CALL(pthread_rwlock_rdlock, pthread_rwlock_t)
VERGO_CALL(pthread_rwlock_wrlock, pthread_rwlock_t)
VERGO_CALL(pthread_rwlock_tryrdlock, pthread_rwlock_t)
VERGO_CALL(pthread_rwlock_trywrlock, pthread_rwlock_t)
VERGO_CALL(pthread_rwlock_unlock, pthread_rwlock_t)
VERGO_CALL(pthread_spin_lock, pthread_spinlock_t)
VERGO_CALL(pthread_spin_trylock, pthread_spinlock_t)
VERGO_CALL(pthread_spin_unlock, pthread_spinlock_t)
VERGO_CALL(sem_wait, sem_t)
VERGO_CALL(sem_trywait, sem_t)
VERGO_CALL(sem_post, sem_t)

#if !VERGO_COUNTED
void __real_free(void *);
VERGO_OWN void __wrap_free(void *memory)
{
    vergo_arrive(VERGO_free, 0);
    __real_free(memory);
    vergo_end_step();
}
#endif

/* Threads of C11: steps are those of POSIX. */
VERGO_CALL_AS(mtx_lock, mtx_t, pthread_mutex_lock)
VERGO_CALL_AS(mtx_trylock, mtx_t, pthread_mutex_trylock)
VERGO_CALL_AS(mtx_unlock, mtx_t, pthread_mutex_unlock)

VERGO_OWN static int vergo_run_c11_thread(void *of)
{
    struct vergo_start start = *(struct vergo_start *)of;
    vergo_me = start.number;
    int result = ((int (*)(void *))start.start)(start.argument);
    vergo_leave();
    return result;
}

int __real_thrd_create(thrd_t *, thrd_start_t, void *);
VERGO_OWN int __wrap_thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
    struct vergo_start *of = malloc(sizeof *of);
    vergo_arrive(VERGO_pthread_create, 0);
    of->start = (void *(*)(void *))start;
    of->argument = argument;
    of->number = __atomic_add_fetch(&vergo_n_threads, 1, __ATOMIC_SEQ_CST);
    int result = __real_thrd_create(thread, vergo_run_c11_thread, of);
    vergo_end_step();
    return result;
}

int __real_thrd_join(thrd_t, int *);
VERGO_OWN int __wrap_thrd_join(thrd_t thread, int *result)
{
    vergo_end_step();
    return __real_thrd_join(thread, result);
}

VERGO_OWN int __wrap_cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    (void)condition;
    vergo_end_step();
    __real_mtx_unlock(mutex);
    vergo_arrive(VERGO_pthread_cond_wait, 0);
    __real_mtx_lock(mutex);
    vergo_end_step();
    return 0;
}

/* Waiting may end at any time. */
int __real_pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
VERGO_OWN int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    (void)condition;
    vergo_end_step();
    __real_pthread_mutex_unlock(mutex);
    vergo_arrive(VERGO_pthread_cond_wait, 0);
    __real_pthread_mutex_lock(mutex);
    vergo_end_step();
    return 0;
}

VERGO_OWN int __wrap_pthread_barrier_wait(pthread_barrier_t *barrier)
{
    (void)barrier;
    vergo_arrive(VERGO_pthread_barrier_wait, 0);
    return 0;
}

/* What a thread does on its own stack concerns nobody. */
VERGO_OWN static int vergo_is_own(char *address)
{
    if (!vergo_stack_high) {
        pthread_attr_t attributes;
        void *low;
        size_t size;
        vergo_stack_high = (char *)1;
        if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
            pthread_attr_getstack(&attributes, &low, &size);
            pthread_attr_destroy(&attributes);
            vergo_stack_low = low;
            vergo_stack_high = vergo_stack_low + size;
        }
    }
    return vergo_stack_low <= address && address < vergo_stack_high;
}

#if VERGO_OWN_RUNTIME
/* In a race a thread is held before its access until another comes to one that conflicts with it. */
static char *vergo_held_at;
static unsigned vergo_held_size;
static int vergo_held_by, vergo_held_writes;

VERGO_OWN static void vergo_meet(char *address, unsigned size, int writes, int is_step)
{
    if (vergo_racing_step < 0)
        return;
    char *held = __atomic_load_n(&vergo_held_at, __ATOMIC_SEQ_CST);
    if (held && vergo_held_by != vergo_me && (writes || vergo_held_writes)
        && address < held + vergo_held_size && held < address + size)
        vergo_report("two threads are about to access the same memory, and one writes it", 10);
    if (!is_step || vergo_step != vergo_racing_step)
        return;
    vergo_held_size = size;
    vergo_held_by = vergo_me;
    vergo_held_writes = writes;
    __atomic_store_n(&vergo_held_at, address, __ATOMIC_SEQ_CST);
    vergo_leave();
    usleep(VERGO_GRACE);
    __atomic_store_n(&vergo_held_at, 0, __ATOMIC_SEQ_CST);
}
#else
#define vergo_meet(address, size, writes, is_step)
#endif

VERGO_OWN static void vergo_access(char *address, unsigned size, int writes)
{
    int saved = errno;
    int is_step = !vergo_is_own(address);
    if (is_step)
        vergo_arrive(writes ? VERGO_WRITE : VERGO_READ, size);
    vergo_meet(address, size, writes, is_step);
    errno = saved;
}

#if VERGO_OWN_RUNTIME
#define VERGO_HOOK(name, size, writes) \
    VERGO_OWN void __tsan_##name(void *address) { vergo_access(address, size, writes); }
VERGO_OWN void __tsan_init(void) {}
VERGO_OWN void __tsan_func_entry(void *caller) { (void)caller; }
VERGO_OWN void __tsan_func_exit(void) {}
VERGO_OWN void __tsan_vptr_update(void **at, void *value) { (void)at; (void)value; }
VERGO_OWN void __tsan_read_range(void *at, size_t size) { vergo_access(at, size, 0); }
VERGO_OWN void __tsan_write_range(void *at, size_t size) { vergo_access(at, size, 1); }
VERGO_OWN void __tsan_atomic_thread_fence(int order) { (void)order; __sync_synchronize(); }
VERGO_OWN void __tsan_atomic_signal_fence(int order) { (void)order; }

#define VERGO_UPDATE(bits, type, name) \
    VERGO_OWN type __tsan_atomic##bits##_##name(volatile type *at, type value, int order) \
    { \
        (void)order; \
        vergo_access((char *)at, sizeof *at, 0); \
        vergo_access((char *)at, sizeof *at, 1); \
        return __atomic_##name(at, value, __ATOMIC_SEQ_CST); \
    }
#define VERGO_ATOMIC(bits, type) \
    VERGO_OWN type __tsan_atomic##bits##_load(const volatile type *at, int order) \
    { \
        (void)order; \
        vergo_access((char *)at, sizeof *at, 0); \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST); \
    } \
    VERGO_OWN void __tsan_atomic##bits##_store(volatile type *at, type value, int order) \
    { \
        (void)order; \
        vergo_access((char *)at, sizeof *at, 1); \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST); \
    } \
    VERGO_OWN type __tsan_atomic##bits##_exchange(volatile type *at, type value, int order) \
    { \
        (void)order; \
        vergo_access((char *)at, sizeof *at, 0); \
        vergo_access((char *)at, sizeof *at, 1); \
        return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST); \
    } \
    VERGO_UPDATE(bits, type, fetch_add) VERGO_UPDATE(bits, type, fetch_sub) VERGO_UPDATE(bits, type, fetch_and) \
    VERGO_UPDATE(bits, type, fetch_or) VERGO_UPDATE(bits, type, fetch_xor) VERGO_UPDATE(bits, type, fetch_nand) \
    VERGO_OWN int __tsan_atomic##bits##_compare_exchange_strong( \
        volatile type *at, type *expected, type wanted, int order, int failing) \
    { \
        (void)order; \
        (void)failing; \
        vergo_access((char *)at, sizeof *at, 0); \
        if (__atomic_load_n(at, __ATOMIC_SEQ_CST) == *expected) \
            vergo_access((char *)at, sizeof *at, 1); \
        return __atomic_compare_exchange_n(at, expected, wanted, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    } \
    VERGO_OWN int __tsan_atomic##bits##_compare_exchange_weak( \
        volatile type *at, type *expected, type wanted, int order, int failing) \
    { \
        return __tsan_atomic##bits##_compare_exchange_strong(at, expected, wanted, order, failing); \
    } \
    VERGO_OWN type __tsan_atomic##bits##_compare_exchange_val( \
        volatile type *at, type expected, type wanted, int order, int failing) \
    { \
        __tsan_atomic##bits##_compare_exchange_strong(at, &expected, wanted, order, failing); \
        return expected; \
    }
VERGO_ATOMIC(8, unsigned char)
VERGO_ATOMIC(16, unsigned short)
VERGO_ATOMIC(32, unsigned)
VERGO_ATOMIC(64, unsigned long long)
#define VERGO_HOOKS(size) VERGO_HOOK(read##size, size, 0) VERGO_HOOK(write##size, size, 1)
#else
#define VERGO_HOOK(name, size, writes) \
    void __real___##name(void *); \
    VERGO_OWN void __wrap___##name(void *address) \
    { \
        vergo_access(address, size, writes); \
        __real___##name(address); \
    }
#if VERGO_THREAD_SANITIZER
VERGO_OWN const char *__tsan_default_options(void) { return "halt_on_error=1:exitcode=66"; }
#define VERGO_HOOKS(size) VERGO_HOOK(tsan_read##size, size, 0) VERGO_HOOK(tsan_write##size, size, 1)
#else
#define VERGO_HOOKS(size) VERGO_HOOK(asan_load##size, size, 0) VERGO_HOOK(asan_store##size, size, 1)
#endif
#endif

VERGO_HOOKS(1) VERGO_HOOKS(2) VERGO_HOOKS(4) VERGO_HOOKS(8) VERGO_HOOKS(16)
#if VERGO_OWN_RUNTIME
#define VERGO_VARIANTS(size) \
    VERGO_HOOK(unaligned_read##size, size, 0) VERGO_HOOK(unaligned_write##size, size, 1) \
    VERGO_HOOK(volatile_read##size, size, 0) VERGO_HOOK(volatile_write##size, size, 1)
VERGO_VARIANTS(1) VERGO_VARIANTS(2) VERGO_VARIANTS(4) VERGO_VARIANTS(8) VERGO_VARIANTS(16)
#endif
