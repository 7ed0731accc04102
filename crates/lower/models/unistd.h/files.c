/* Files, folders and descriptors by system calls (POSIX). */

extern void *malloc(size_t);
/* Descriptors: see descriptors.c. */
extern int __vergo_new_descriptor(int standard);
extern void __vergo_hold_descriptor(int);

static ssize_t up_to(size_t n)
{
    ssize_t r = __VERIFIER_nondet_long();
    __vergo_assume(r >= -1 && (r == -1 || (size_t)r <= n));
    if (r < 0)
        fails();
    return r;
}

ssize_t pread(int descriptor, void *to, size_t n, long offset)
{
    (void)descriptor, (void)offset;
    writes(to, n);
    ssize_t r = __vergo_read(-1, to, n);
    return r < 0 ? fails() : r;
}

ssize_t pwrite(int descriptor, const void *from, size_t n, long offset)
{
    (void)descriptor, (void)offset;
    reads(from, n);
    return up_to(n);
}

ssize_t pread64(int descriptor, void *to, size_t n, long offset)
{
    return pread(descriptor, to, n, offset);
}

ssize_t pwrite64(int descriptor, const void *from, size_t n, long offset)
{
    return pwrite(descriptor, from, n, offset);
}

/* No zero byte is added. */
ssize_t readlink(const char *path, char *to, size_t n)
{
    reads_text(path);
    writes(to, n);
    ssize_t r = __vergo_read(-1, to, n);
    return r < 0 ? fails() : r;
}

ssize_t readlinkat(int folder, const char *path, char *to, size_t n)
{
    (void)folder;
    return readlink(path, to, n);
}

/* Any text that fits, with its end. */
static void any_text(char *to, size_t n)
{
    fills(to, n);
    size_t length = __VERIFIER_nondet_ulong();
    __vergo_assume(length < n);
    to[length] = 0;
}

char *getcwd(char *to, size_t n)
{
    if (to == 0) {
        size_t room = n == 0 ? 4096 : n;
        if (__VERIFIER_nondet_bool() || (to = malloc(room)) == 0)
            return (fails(), (char *)0);
        any_text(to, room);
        return to;
    }
    writes(to, n);
    if (n == 0 || __VERIFIER_nondet_bool())
        return (fails(), (char *)0);
    any_text(to, n);
    return to;
}

/* A buffer has to have room for the longest path, which is 4096 bytes on Linux. */
char *realpath(const char *path, char *to)
{
    reads_text(path);
    if (to != 0)
        writes(to, 4096);
    if (__VERIFIER_nondet_bool() || (to == 0 && (to = malloc(4096)) == 0))
        return (fails(), (char *)0);
    any_text(to, 4096);
    return to;
}

/* A name that is cut need not be ended. */
int gethostname(char *to, size_t n)
{
    fills(to, n);
    return may_fail();
}

int getdomainname(char *to, size_t n)
{
    return gethostname(to, n);
}

int getlogin_r(char *to, size_t n)
{
    writes(to, n);
    if (n == 0 || __VERIFIER_nondet_bool())
        return between(1, 133);
    any_text(to, n);
    return 0;
}

int pipe(int ends[2])
{
    writes(ends, 2 * sizeof(int));
    if (__vergo_concrete() || __VERIFIER_nondet_bool())
        return fails();
    ends[0] = __vergo_new_descriptor(1);
    ends[1] = __vergo_new_descriptor(1);
    return 0;
}

int pipe2(int ends[2], int flags)
{
    (void)flags;
    return pipe(ends);
}

int dup(int descriptor)
{
    return descriptor < 0 || __VERIFIER_nondet_bool() ? fails() : __vergo_new_descriptor(1);
}

int dup2(int descriptor, int to)
{
    if (descriptor < 0 || to < 0 || __VERIFIER_nondet_bool())
        return fails();
    if (descriptor != to)
        __vergo_hold_descriptor(to);
    return to;
}

int fsync(int descriptor)
{
    (void)descriptor;
    return may_fail();
}

int ftruncate(int descriptor, long size)
{
    (void)descriptor, (void)size;
    return may_fail();
}

static int with_path(const char *path)
{
    reads_text(path);
    return may_fail();
}

int truncate(const char *path, long size)
{
    (void)size;
    return with_path(path);
}

int chdir(const char *path)
{
    return with_path(path);
}

int rmdir(const char *path)
{
    return with_path(path);
}

int chroot(const char *path)
{
    return with_path(path);
}

int chown(const char *path, unsigned user, unsigned group)
{
    (void)user, (void)group;
    return with_path(path);
}

int fchown(int descriptor, unsigned user, unsigned group)
{
    (void)descriptor, (void)user, (void)group;
    return may_fail();
}

int link(const char *from, const char *to)
{
    reads_text(from);
    return with_path(to);
}

int symlink(const char *from, const char *to)
{
    reads_text(from);
    return with_path(to);
}


/* What the third argument is depends on the command: locks (5 to 7) are written or read, the others are numbers. */
int fcntl(int descriptor, int command, ...)
{
    (void)descriptor;
    if (command >= 5 && command <= 7) {
        va_list list;
        __builtin_va_start(list, command);
        void *lock = __builtin_va_arg(list, void *);
        __builtin_va_end(list);
        if (command == 5)
            fills(lock, sizeof(long) == 8 ? 32 : 16);
        else
            reads(lock, sizeof(long) == 8 ? 32 : 16);
        return may_fail();
    }
    int r = __VERIFIER_nondet_int();
    return r < 0 ? fails() : r;
}
