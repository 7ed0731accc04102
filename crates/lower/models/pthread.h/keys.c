/* Data of threads (POSIX). */

static _Thread_local void *values[32];
static unsigned keys;

int pthread_key_create(unsigned *key, void (*destructor)(void *))
{
    if (destructor != 0)
        __vergo_unsupported("a destructor of data of threads");
    writes(key, sizeof *key);
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
