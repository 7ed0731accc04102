/* Characters and lines out (C17 7.21.7). Nothing is buffered. */

extern size_t strlen(const char *);

static int put(int descriptor, int c)
{
    unsigned char byte = (unsigned char)c;
    return __vergo_write(descriptor, &byte, 1) == 1 ? byte : -1;
}

int putchar(int c)
{
    return put(1, c);
}

int putchar_unlocked(int c)
{
    return put(1, c);
}

int fputc(int c, FILE *file)
{
    return put(file->descriptor, c);
}

int putc(int c, FILE *file)
{
    return put(file->descriptor, c);
}

int _IO_putc(int c, FILE *file)
{
    return put(file->descriptor, c);
}

int putc_unlocked(int c, FILE *file)
{
    return put(file->descriptor, c);
}

int fputs(const char *s, FILE *file)
{
    return __vergo_write(file->descriptor, s, strlen(s)) < 0 ? -1 : 1;
}

int fputs_unlocked(const char *s, FILE *file)
{
    return fputs(s, file);
}

int puts(const char *s)
{
    if (__vergo_write(1, s, strlen(s)) < 0)
        return -1;
    return put(1, '\n') < 0 ? -1 : 1;
}

size_t fwrite(const void *from, size_t size, size_t count, FILE *file)
{
    if (size == 0 || count == 0)
        return 0;
    ssize_t n = __vergo_write(file->descriptor, from, size * count);
    if (n < 0) {
        file->error = 1;
        return 0;
    }
    return (size_t)n / size;
}

int fflush(FILE *file)
{
    (void)file;
    return 0;
}

void perror(const char *s)
{
    if (s != 0 && *s != 0) {
        __vergo_write(2, s, strlen(s));
        __vergo_write(2, ": ", 2);
    }
    __vergo_write(2, "Error\n", 6);
}
