/* System calls (POSIX). Whether they succeed is the world's. */

/* Descriptors: see descriptors.c. */
extern int __vergo_new_descriptor(int standard);
extern void __vergo_release_descriptor(int);

ssize_t read(int descriptor, void *to, size_t n)
{
    return __vergo_read(descriptor, to, n);
}

ssize_t write(int descriptor, const void *from, size_t n)
{
    if (__vergo_concrete())
        return __vergo_write(descriptor, from, n);
    reads(from, n);
    ssize_t r = __VERIFIER_nondet_long();
    __vergo_assume(r >= -1 && (r == -1 || (size_t)r <= n));
    if (r < 0)
        fails();
    return r;
}

/* Whether a descriptor is released when that fails is open. */
int close(int descriptor)
{
    int r = may_fail();
    if (r == 0 || __VERIFIER_nondet_bool())
        __vergo_release_descriptor(descriptor);
    return r;
}

int open(const char *path, int flags, ...)
{
    (void)flags;
    reads_text(path);
    /* For a run there are no files. */
    return __vergo_concrete() || __VERIFIER_nondet_bool() ? fails() : __vergo_new_descriptor(1);
}

int open64(const char *path, int flags, ...)
{
    return open(path, flags);
}

int creat(const char *path, unsigned mode)
{
    (void)mode;
    return open(path, 0);
}

long lseek(int descriptor, long offset, int whence)
{
    (void)descriptor;
    /* Where it was, others that share it may have changed; where it is, from the beginning of the file, is known. */
    long r = __VERIFIER_nondet_long();
    __vergo_assume(r < 0 || whence != 0 || r == offset);
    return r < 0 ? fails() : r;
}

int unlink(const char *path)
{
    reads_text(path);
    return may_fail();
}

int access(const char *path, int mode)
{
    (void)mode;
    reads_text(path);
    return may_fail();
}

unsigned sleep(unsigned seconds)
{
    unsigned left = (unsigned)__VERIFIER_nondet_int();
    return left < seconds ? left : seconds;
}

int usleep(unsigned microseconds)
{
    (void)microseconds;
    return may_fail();
}

unsigned alarm(unsigned seconds)
{
    (void)seconds;
    return (unsigned)__VERIFIER_nondet_int();
}

/* Who this process is does not change, unless it is changed. */
static unsigned n_changes;

static int identity(int what)
{
    return (int)__vergo_choice(CHOICE_IDENTITY, what, n_changes);
}

int getpid(void)
{
    int r = __vergo_concrete() ? 1000 : (int)__vergo_choice(CHOICE_IDENTITY, 0, 0);
    __vergo_assume(r > 0);
    return r;
}

/* The parent may end at any time. */
int getppid(void)
{
    int r = __VERIFIER_nondet_int();
    __vergo_assume(r >= 0);
    return r;
}

int getpgrp(void)
{
    int r = __vergo_concrete() ? 1000 : identity(1);
    __vergo_assume(r > 0);
    return r;
}

unsigned getuid(void)
{
    return (unsigned)identity(2);
}

unsigned geteuid(void)
{
    return (unsigned)identity(3);
}

unsigned getgid(void)
{
    return (unsigned)identity(4);
}

unsigned getegid(void)
{
    return (unsigned)identity(5);
}

static int changes(void)
{
    if (__VERIFIER_nondet_bool())
        return fails();
    n_changes++;
    return 0;
}

int setuid(unsigned user)
{
    (void)user;
    return changes();
}

int seteuid(unsigned user)
{
    (void)user;
    return changes();
}

int setgid(unsigned group)
{
    (void)group;
    return changes();
}

int setegid(unsigned group)
{
    (void)group;
    return changes();
}

int setsid(void)
{
    if (changes() < 0)
        return -1;
    return getpid();
}

int isatty(int descriptor)
{
    (void)descriptor;
    return __VERIFIER_nondet_bool() ? 1 : (fails(), 0);
}

int sched_yield(void)
{
    return 0;
}

int getpagesize(void);

long sysconf(int name)
{
    if (name == 30)
        return getpagesize();
    long r = (long)__vergo_choice(CHOICE_LIMIT, name, 0);
    /* Arguments, children, clock ticks, open files, processors and pages are some, if there is a limit at all. */
    int counts = (name >= 0 && name <= 4 && name != 3) || (name >= 83 && name <= 85);
    __vergo_assume(r > 0 || r == -1 || (r == 0 && !counts));
    if (r == -1 && __VERIFIER_nondet_bool())
        fails();
    return r;
}

int getpagesize(void)
{
    int r = __vergo_concrete() ? 4096 : (int)__vergo_choice(CHOICE_LIMIT, 30, 1);
    __vergo_assume(r >= 4096 && r <= 65536 && (r & (r - 1)) == 0);
    return r;
}
