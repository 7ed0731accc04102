/* Characters and lines in (C17 7.21.7, 7.21.8, POSIX). */

extern FILE *stdin;
extern void *realloc(void *, size_t);

int fgetc(FILE *file)
{
    of_moving_stream(file);
    if (file->pushed >= 0) {
        int c = file->pushed;
        file->pushed = -1;
        return c;
    }
    if (file->boundary)
        __vergo_unsupported("characters of the input behind a number or a word");
    unsigned char byte;
    ssize_t n = __vergo_read(file->descriptor, &byte, 1);
    if (n == 1)
        return byte;
    if (n == 0)
        file->eof = 1;
    else
        file->error = 1;
    return -1;
}

int getc(FILE *file)
{
    return fgetc(file);
}

int _IO_getc(FILE *file)
{
    return fgetc(file);
}

int getc_unlocked(FILE *file)
{
    return fgetc(file);
}

int getchar(void)
{
    return fgetc(stdin);
}

int getchar_unlocked(void)
{
    return fgetc(stdin);
}

int ungetc(int c, FILE *file)
{
    of_moving_stream(file);
    if (c < 0)
        return -1;
    /* One character can always be pushed back; whether more can is the implementation's (7.21.7.10p3). */
    if (file->pushed >= 0) {
        if (!__vergo_concrete() && __VERIFIER_nondet_bool())
            return -1;
        __vergo_unsupported("more than one character that is pushed back");
    }
    file->pushed = (unsigned char)c;
    file->eof = 0;
    return (unsigned char)c;
}

char *fgets(char *to, int size, FILE *file)
{
    int n = 0;
    of_moving_stream(file);
    if (size <= 0)
        return 0;
    __vergo_writes(to, (size_t)size);
    while (n < size - 1) {
        int c = fgetc(file);
        if (c < 0) {
            if (n == 0 || file->error)
                return 0;
            break;
        }
        to[n] = (char)c;
        n++;
        if (c == '\n')
            break;
    }
    to[n] = 0;
    return to;
}

char *__fgets_chk(char *to, size_t room, int size, FILE *file)
{
    if (size > 0)
        __vergo_writes(to, (size_t)size);
    if (size > 0 && (size_t)size > room)
        __vergo_abort();
    return fgets(to, size, file);
}

char *gets(char *to)
{
    size_t n = 0;
    for (;;) {
        int c = fgetc(stdin);
        if (c < 0 && n == 0)
            return 0;
        if (c < 0 || c == '\n')
            break;
        to[n] = (char)c;
        n++;
    }
    to[n] = 0;
    return to;
}

ssize_t getdelim(char **line, size_t *room, int delimiter, FILE *file)
{
    size_t n = 0;
    /* The line and its room are read and may be written, however the input ends. */
    writes(line, sizeof *line);
    writes(room, sizeof *room);
    for (;;) {
        int c = fgetc(file);
        if (c < 0 && n == 0)
            return -1;
        if (*line == 0 || *room < n + 2) {
            size_t larger = *line == 0 ? 120 : *room * 2 + 2;
            char *new = realloc(*line, larger);
            if (new == 0)
                return -1;
            *line = new;
            *room = larger;
        }
        if (c < 0)
            break;
        (*line)[n] = (char)c;
        n++;
        if (c == delimiter)
            break;
    }
    (*line)[n] = 0;
    return (ssize_t)n;
}

ssize_t getline(char **line, size_t *room, FILE *file)
{
    return getdelim(line, room, '\n', file);
}

size_t fread(void *to, size_t size, size_t count, FILE *file)
{
    of_moving_stream(file);
    if (size == 0 || count == 0)
        return 0;
    unsigned char *a = to;
    size_t total, n = 0;
    if (__builtin_mul_overflow(size, count, &total))
        total = (size_t)-1;
    if (!__vergo_concrete() && file->pushed < 0 && !file->boundary) {
        writes(to, total);
        ssize_t came = __vergo_read(file->descriptor, to, total);
        if (came == (ssize_t)total)
            return count;
        if (came >= 0 && __VERIFIER_nondet_bool())
            file->eof = 1;
        else
            file->error = 1;
        return came < 0 ? 0 : (size_t)came / size;
    }
    while (n < total) {
        int c = fgetc(file);
        if (c < 0)
            break;
        a[n] = (unsigned char)c;
        n++;
    }
    return n / size;
}
