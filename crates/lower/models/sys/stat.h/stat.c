/* What is known of a file (POSIX): any bytes in a structure of the size that it has with glibc on x86. */

struct __vergo_status { char bytes[sizeof(long) == 8 ? 144 : 88]; };
struct __vergo_status64 { char bytes[sizeof(long) == 8 ? 144 : 96]; };
extern struct __vergo_status __VERIFIER_nondet_status(void);
extern struct __vergo_status64 __VERIFIER_nondet_status64(void);

static int status(void *to)
{
    writes(to, sizeof(struct __vergo_status));
    if (__VERIFIER_nondet_bool())
        return fails();
    *(struct __vergo_status *)to = __VERIFIER_nondet_status();
    return 0;
}

static int status64(void *to)
{
    writes(to, sizeof(struct __vergo_status64));
    if (__VERIFIER_nondet_bool())
        return fails();
    *(struct __vergo_status64 *)to = __VERIFIER_nondet_status64();
    return 0;
}

int stat(const char *path, void *to)
{
    reads_text(path);
    return status(to);
}

int lstat(const char *path, void *to)
{
    return stat(path, to);
}

int fstat(int descriptor, void *to)
{
    (void)descriptor;
    return status(to);
}

int fstatat(int folder, const char *path, void *to, int flags)
{
    (void)folder, (void)flags;
    return stat(path, to);
}

int stat64(const char *path, void *to)
{
    reads_text(path);
    return status64(to);
}

int lstat64(const char *path, void *to)
{
    return stat64(path, to);
}

int fstat64(int descriptor, void *to)
{
    (void)descriptor;
    return status64(to);
}

/* The names behind which older headers of glibc hide them. */
int __xstat(int version, const char *path, void *to)
{
    (void)version;
    return stat(path, to);
}

int __lxstat(int version, const char *path, void *to)
{
    (void)version;
    return stat(path, to);
}

int __fxstat(int version, int descriptor, void *to)
{
    (void)version, (void)descriptor;
    return status(to);
}

int chmod(const char *path, unsigned mode)
{
    (void)mode;
    reads_text(path);
    return may_fail();
}

int fchmod(int descriptor, unsigned mode)
{
    (void)descriptor, (void)mode;
    return may_fail();
}

int mkdir(const char *path, unsigned mode)
{
    (void)mode;
    reads_text(path);
    return may_fail();
}

int mkfifo(const char *path, unsigned mode)
{
    (void)mode;
    reads_text(path);
    return may_fail();
}

unsigned umask(unsigned mask)
{
    static unsigned now;
    static int is_known;
    if (!is_known)
        now = __vergo_concrete() ? 18 : (unsigned)between(0, 511);
    unsigned before = now;
    is_known = 1;
    now = mask & 511;
    return before;
}
