/* Characters and lines out (C17 7.21.7). Nothing is buffered. */

extern FILE *stdout, *stderr;

/* The length of a text that is read. */
static size_t text_length(const char *s)
{
    size_t size = __vergo_text_size(s, (size_t)-1 >> 1);
    __vergo_reads(s, size);
    return size - 1;
}

/* Bytes go out, all of them, or there is an error. */
static int out(int descriptor, const void *from, size_t n)
{
    if (__vergo_concrete())
        return __vergo_write(descriptor, from, n) < 0 ? -1 : 0;
    reads(from, n);
    return may_fail();
}

static int put(int descriptor, int c)
{
    unsigned char byte = (unsigned char)c;
    return out(descriptor, &byte, 1) < 0 ? -1 : byte;
}

/* What says that all went well: any number that is not negative (7.21.7.4p3). */
static int done(void)
{
    return __vergo_concrete() ? 1 : between(0, 2147483647);
}

int putchar(int c)
{
    return put(of_moving_stream(stdout), c);
}

int putchar_unlocked(int c)
{
    return put(of_moving_stream(stdout), c);
}

int fputc(int c, FILE *file)
{
    return put(of_moving_stream(file), c);
}

int putc(int c, FILE *file)
{
    return put(of_moving_stream(file), c);
}

int _IO_putc(int c, FILE *file)
{
    return put(of_moving_stream(file), c);
}

int putc_unlocked(int c, FILE *file)
{
    return put(of_moving_stream(file), c);
}

int fputs(const char *s, FILE *file)
{
    return out(of_moving_stream(file), s, text_length(s)) < 0 ? -1 : done();
}

int fputs_unlocked(const char *s, FILE *file)
{
    return fputs(s, file);
}

int puts(const char *s)
{
    if (out(of_moving_stream(stdout), s, text_length(s)) < 0 || (__vergo_concrete() && put(1, '\n') < 0))
        return -1;
    return done();
}

/* As many elements as went out; fewer only after an error (7.21.8.2p3). */
size_t fwrite(const void *from, size_t size, size_t count, FILE *file)
{
    size_t bytes;
    of_moving_stream(file);
    if (size == 0 || count == 0)
        return 0;
    if (__builtin_mul_overflow(size, count, &bytes))
        bytes = (size_t)-1;
    if (out(of_moving_stream(file), from, bytes) == 0)
        return count;
    file->error = 1;
    size_t r = __VERIFIER_nondet_ulong();
    __vergo_assume(r < count);
    return r;
}

size_t fwrite_unlocked(const void *from, size_t size, size_t count, FILE *file)
{
    return fwrite(from, size, count, file);
}

/* What is in buffers goes out, which may fail. */
int fflush(FILE *file)
{
    if (file != 0)
        of_moving_stream(file);
    return __vergo_concrete() ? 0 : may_fail();
}

void perror(const char *s)
{
    of_moving_stream(stderr);
    if (s != 0 && *s != 0) {
        out(2, s, text_length(s));
        out(2, ": ", 2);
    }
    out(2, "Error\n", 6);
}
