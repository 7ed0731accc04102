/* Data of threads, once-only calls (POSIX). */

static _Thread_local void *values[32];
static unsigned keys;

int pthread_key_create(unsigned *key, void (*destructor)(void *))
{
    (void)destructor;
    __vergo_atomic_begin();
    int full = keys >= 32;
    if (!full) {
        *key = keys;
        keys = keys + 1;
    }
    __vergo_atomic_end();
    return full ? 11 : 0;
}

int pthread_key_delete(unsigned key)
{
    (void)key;
    return 0;
}

void *pthread_getspecific(unsigned key)
{
    return values[key];
}

int pthread_setspecific(unsigned key, const void *value)
{
    values[key] = (void *)value;
    return 0;
}

int pthread_once(int *control, void (*run)(void))
{
    __vergo_atomic_begin();
    int first = *control == 0;
    *control = 1;
    __vergo_atomic_end();
    if (first)
        run();
    return 0;
}
