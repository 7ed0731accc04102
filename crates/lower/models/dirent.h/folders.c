/* Folders (POSIX). What is in them is any names. The structures have the size that they have with glibc on x86. */

extern void *malloc(size_t);
extern void free(void *);

struct dirent { unsigned long inode; long offset; unsigned short size; unsigned char type; char name[256]; };
struct __vergo_folder { struct dirent entry; };
extern struct dirent __VERIFIER_nondet_dirent(void);

static struct __vergo_folder *open_folder(void)
{
    if (__vergo_concrete() || __VERIFIER_nondet_bool())
        return (fails(), (struct __vergo_folder *)0);
    return malloc(sizeof(struct __vergo_folder));
}

struct __vergo_folder *opendir(const char *path)
{
    reads_text(path);
    return open_folder();
}

struct __vergo_folder *fdopendir(int descriptor)
{
    (void)descriptor;
    return open_folder();
}

/* The entry is the folder's, until the next one is read. */
struct dirent *readdir(struct __vergo_folder *folder)
{
    writes(folder, sizeof *folder);
    if (__vergo_concrete() || __VERIFIER_nondet_bool())
        return 0;
    if (__VERIFIER_nondet_bool())
        return (fails(), (struct dirent *)0);
    folder->entry = __VERIFIER_nondet_dirent();
    folder->entry.name[255] = 0;
    __vergo_assume(folder->entry.name[0] != 0);
    return &folder->entry;
}

void rewinddir(struct __vergo_folder *folder)
{
    writes(folder, sizeof *folder);
}

int closedir(struct __vergo_folder *folder)
{
    writes(folder, sizeof *folder);
    free(folder);
    return may_fail();
}

int dirfd(struct __vergo_folder *folder)
{
    writes(folder, sizeof *folder);
    int r = __VERIFIER_nondet_int();
    return r < 0 ? fails() : r;
}
