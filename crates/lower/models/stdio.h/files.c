/* Files (C17 7.21.4, 7.21.5, 7.21.9, 7.21.10). What a file holds and whether it can be opened is up to the world. */

extern void *malloc(size_t);
extern void free(void *);

FILE *fopen(const char *path, const char *mode)
{
    __vergo_reads(path, __vergo_text_size(path, (size_t)-1 >> 1));
    __vergo_reads(mode, __vergo_text_size(mode, (size_t)-1 >> 1));
    if (__VERIFIER_nondet_bool()) {
        *__errno_location() = 2;
        return 0;
    }
    FILE *file = malloc(sizeof(FILE));
    if (file == 0)
        return 0;
    int descriptor = __VERIFIER_nondet_int();
    __vergo_assume(descriptor > 2);
    file->descriptor = descriptor;
    file->eof = 0;
    file->error = 0;
    file->pushed = -1;
    file->boundary = 0;
    return file;
}

FILE *fopen64(const char *path, const char *mode)
{
    return fopen(path, mode);
}

FILE *fdopen(int descriptor, const char *mode)
{
    FILE *file = fopen("", mode);
    if (file != 0)
        file->descriptor = descriptor;
    return file;
}

FILE *tmpfile(void)
{
    return fopen("", "w+");
}

FILE *freopen(const char *path, const char *mode, FILE *file)
{
    if (path != 0)
        __vergo_reads(path, __vergo_text_size(path, (size_t)-1 >> 1));
    __vergo_reads(mode, __vergo_text_size(mode, (size_t)-1 >> 1));
    __vergo_writes(file, sizeof(FILE));
    return __VERIFIER_nondet_bool() ? file : 0;
}

int fclose(FILE *file)
{
    int descriptor = file->descriptor;
    if (descriptor > 2)
        free(file);
    return __VERIFIER_nondet_bool() ? -1 : 0;
}

int feof(FILE *file)
{
    return file->eof;
}

int ferror(FILE *file)
{
    return file->error;
}

int feof_unlocked(FILE *file)
{
    return file->eof;
}

int ferror_unlocked(FILE *file)
{
    return file->error;
}

void clearerr(FILE *file)
{
    file->eof = 0;
    file->error = 0;
}

int fileno(FILE *file)
{
    return file->descriptor;
}

int fseek(FILE *file, long offset, int whence)
{
    (void)offset, (void)whence;
    file->eof = 0;
    file->pushed = -1;
    file->boundary = 0;
    return __VERIFIER_nondet_bool() ? 0 : -1;
}

long ftell(FILE *file)
{
    (void)file->descriptor;
    long r = __VERIFIER_nondet_long();
    __vergo_assume(r >= -1);
    return r;
}

void rewind(FILE *file)
{
    file->eof = 0;
    file->error = 0;
    file->pushed = -1;
    file->boundary = 0;
}

int remove(const char *path)
{
    __vergo_reads(path, __vergo_text_size(path, (size_t)-1 >> 1));
    return __VERIFIER_nondet_bool() ? 0 : -1;
}

int rename(const char *from, const char *to)
{
    __vergo_reads(from, __vergo_text_size(from, (size_t)-1 >> 1));
    __vergo_reads(to, __vergo_text_size(to, (size_t)-1 >> 1));
    return __VERIFIER_nondet_bool() ? 0 : -1;
}

void setbuf(FILE *file, char *buffer)
{
    __vergo_reads(file, sizeof(FILE));
    if (buffer != 0)
        __vergo_writes(buffer, 8192);
}

int setvbuf(FILE *file, char *buffer, int mode, size_t size)
{
    (void)mode;
    __vergo_reads(file, sizeof(FILE));
    if (buffer != 0)
        __vergo_writes(buffer, size);
    return 0;
}

void flockfile(FILE *file)
{
    __vergo_reads(file, sizeof(FILE));
}

void funlockfile(FILE *file)
{
    __vergo_reads(file, sizeof(FILE));
}
