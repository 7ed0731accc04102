/* Files (C17 7.21.4, 7.21.5, 7.21.9, 7.21.10). What a file holds and whether it can be opened is up to the world. */

extern void *malloc(size_t);
extern void free(void *);

/* Descriptors: see unistd.h/descriptors.c. */
extern int __vergo_new_descriptor(int standard);
extern void __vergo_release_descriptor(int);

/* A stream, at its beginning unless it appends or was there before. */
static FILE *made(int descriptor, long place)
{
    FILE *file = malloc(sizeof(FILE));
    if (file == 0)
        return 0;
    file->descriptor = descriptor;
    file->eof = 0;
    file->error = 0;
    file->pushed = -1;
    file->boundary = 0;
    file->place = place;
    return file;
}

/* For a run there are no files. */
static FILE *opened(long place)
{
    if (__vergo_concrete()) {
        *__errno_location() = 2;
        return 0;
    }
    if (__VERIFIER_nondet_bool()) {
        fails();
        return 0;
    }
    return made(__vergo_new_descriptor(0), place);
}

FILE *fopen(const char *path, const char *mode)
{
    reads_text(path);
    reads_text(mode);
    return opened(*mode == 'a' ? -1 : 0);
}

FILE *fopen64(const char *path, const char *mode)
{
    return fopen(path, mode);
}

FILE *fdopen(int descriptor, const char *mode)
{
    reads_text(mode);
    if (descriptor < 0) {
        *__errno_location() = 9;
        return 0;
    }
    if (__VERIFIER_nondet_bool()) {
        fails();
        return 0;
    }
    return made(descriptor, -1);
}

FILE *tmpfile(void)
{
    return opened(0);
}

/* A stream that was made is gone when it is closed; the three standard ones are objects that stay. */
static void release(FILE *file)
{
    __vergo_release_descriptor(file->descriptor);
    if (__vergo_is_heap(file))
        free(file);
    else
        file->descriptor = -1;
}

FILE *freopen(const char *path, const char *mode, FILE *file)
{
    if (path != 0)
        reads_text(path);
    reads_text(mode);
    writes(file, sizeof(FILE));
    of_stream(file);
    if (__VERIFIER_nondet_bool()) {
        fails();
        release(file);
        return 0;
    }
    file->eof = 0;
    file->error = 0;
    file->pushed = -1;
    file->boundary = 0;
    file->place = *mode == 'a' ? -1 : 0;
    return file;
}

int fclose(FILE *file)
{
    of_stream(file);
    release(file);
    return may_fail();
}

FILE *popen(const char *command, const char *mode)
{
    reads_text(command);
    reads_text(mode);
    return opened(-1);
}

int pclose(FILE *file)
{
    of_stream(file);
    release(file);
    return __VERIFIER_nondet_int();
}

int feof(FILE *file)
{
    of_stream(file);
    return file->eof;
}

int ferror(FILE *file)
{
    of_stream(file);
    return file->error;
}

int feof_unlocked(FILE *file)
{
    of_stream(file);
    return file->eof;
}

int ferror_unlocked(FILE *file)
{
    of_stream(file);
    return file->error;
}

void clearerr(FILE *file)
{
    of_stream(file);
    file->eof = 0;
    file->error = 0;
}

int fileno(FILE *file)
{
    return of_stream(file);
}

int fseek(FILE *file, long offset, int whence)
{
    of_stream(file);
    long place = whence == 0 ? offset : -1;
    if (whence == 1 && file->place >= 0 && __builtin_add_overflow(file->place, offset, &place))
        return fails();
    /* There is nothing before the beginning, and no fourth place to begin from. */
    if ((whence == 0 || (whence == 1 && file->place >= 0)) && place < 0)
        return fails();
    if (whence < 0 || whence > 2 || __VERIFIER_nondet_bool())
        return fails();
    file->eof = 0;
    file->pushed = -1;
    file->boundary = 0;
    file->place = place;
    return 0;
}

int fseeko(FILE *file, long offset, int whence)
{
    return fseek(file, offset, whence);
}

long ftell(FILE *file)
{
    of_stream(file);
    long r = __VERIFIER_nondet_long();
    __vergo_assume(r < 0 || file->place < 0 || r == file->place);
    return r < 0 ? fails() : r;
}

long ftello(FILE *file)
{
    return ftell(file);
}

struct __vergo_position { long offset; char state[sizeof(long) == 8 ? 8 : 8]; };
extern struct __vergo_position __VERIFIER_nondet_position(void);

int fgetpos(FILE *file, struct __vergo_position *to)
{
    of_stream(file);
    writes(to, sizeof *to);
    if (__VERIFIER_nondet_bool())
        return fails();
    *to = __VERIFIER_nondet_position();
    return 0;
}

int fsetpos(FILE *file, const struct __vergo_position *to)
{
    reads(to, sizeof *to);
    return fseek(file, 0, 2);
}

void rewind(FILE *file)
{
    of_stream(file);
    file->eof = 0;
    file->error = 0;
    file->pushed = -1;
    file->boundary = 0;
    /* Whether it could be moved is not said. */
    file->place = -1;
}

int remove(const char *path)
{
    reads_text(path);
    return may_fail();
}

int rename(const char *from, const char *to)
{
    reads_text(from);
    reads_text(to);
    return may_fail();
}

/* The buffer is the stream's from then on; nothing is ever written there. */
void setbuf(FILE *file, char *buffer)
{
    of_stream(file);
    if (buffer != 0)
        writes(buffer, 8192);
}

int setvbuf(FILE *file, char *buffer, int mode, size_t size)
{
    of_stream(file);
    if (buffer != 0 && mode != 2)
        writes(buffer, size);
    return __VERIFIER_nondet_bool() || mode < 0 || mode > 2 ? (fails(), __VERIFIER_nondet_int() | 1) : 0;
}

/* A name that no file has: at most 20 bytes. */
char *tmpnam(char *to)
{
    static char own[20];
    if (to == 0)
        to = own;
    writes(to, 20);
    if (__VERIFIER_nondet_bool())
        return 0;
    fills(to, 20);
    to[19] = 0;
    return to;
}

/* The last six characters are replaced. */
static int name_uniquely(char *path, size_t behind)
{
    size_t n = 0;
    while (path[n] != 0)
        n++;
    if (n < 6 + behind) {
        *__errno_location() = 22;
        return 0;
    }
    for (size_t i = n - behind - 6; i < n - behind; i++) {
        if (path[i] != 'X') {
            *__errno_location() = 22;
            return 0;
        }
    }
    for (size_t i = n - behind - 6; i < n - behind; i++) {
        char c = __vergo_concrete() ? 'a' : __VERIFIER_nondet_char();
        __vergo_assume((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
        path[i] = c;
    }
    return 1;
}

int mkstemp(char *path)
{
    if (!name_uniquely(path, 0))
        return -1;
    return __vergo_concrete() || __VERIFIER_nondet_bool() ? fails() : __vergo_new_descriptor(1);
}

int mkstemps(char *path, int behind)
{
    if (behind < 0 || !name_uniquely(path, (size_t)behind))
        return -1;
    return __vergo_concrete() || __VERIFIER_nondet_bool() ? fails() : __vergo_new_descriptor(1);
}

char *mkdtemp(char *path)
{
    if (!name_uniquely(path, 0) || __VERIFIER_nondet_bool())
        return 0;
    return path;
}

void flockfile(FILE *file)
{
    of_stream(file);
}

void funlockfile(FILE *file)
{
    of_stream(file);
}
