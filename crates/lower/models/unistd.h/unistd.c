/* System calls (POSIX). */

ssize_t read(int descriptor, void *to, size_t n)
{
    return __vergo_read(descriptor, to, n);
}

ssize_t write(int descriptor, const void *from, size_t n)
{
    return __vergo_write(descriptor, from, n);
}

static int success(void)
{
    if (__VERIFIER_nondet_bool())
        return 0;
    *__errno_location() = 5;
    return -1;
}

int close(int descriptor)
{
    (void)descriptor;
    return success();
}

int open(const char *path, int flags, ...)
{
    (void)flags;
    __vergo_reads(path, __vergo_text_size(path, (size_t)-1 >> 1));
    int r = __VERIFIER_nondet_int();
    return r > 2 ? r : -1;
}

long lseek(int descriptor, long offset, int whence)
{
    (void)descriptor, (void)offset, (void)whence;
    long r = __VERIFIER_nondet_long();
    return r < 0 ? -1 : r;
}

int unlink(const char *path)
{
    __vergo_reads(path, __vergo_text_size(path, (size_t)-1 >> 1));
    return success();
}

int access(const char *path, int mode)
{
    (void)mode;
    __vergo_reads(path, __vergo_text_size(path, (size_t)-1 >> 1));
    return success();
}

unsigned sleep(unsigned seconds)
{
    unsigned left = (unsigned)__VERIFIER_nondet_int();
    return left < seconds ? left : seconds;
}

int usleep(unsigned microseconds)
{
    (void)microseconds;
    return 0;
}

int getpid(void)
{
    int r = __VERIFIER_nondet_int();
    return r > 0 ? r : 1;
}

int getppid(void)
{
    return getpid();
}

int isatty(int descriptor)
{
    (void)descriptor;
    return __VERIFIER_nondet_bool();
}

unsigned getuid(void)
{
    return (unsigned)__VERIFIER_nondet_int();
}

unsigned geteuid(void)
{
    return (unsigned)__VERIFIER_nondet_int();
}

int sched_yield(void)
{
    return 0;
}
