/* Characters and lines out (C17 7.21.7). Nothing is buffered. */

/* The length of a text that is read. */
static size_t text_length(const char *s)
{
    size_t size = __vergo_text_size(s, (size_t)-1 >> 1);
    __vergo_reads(s, size);
    return size - 1;
}

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
    return __vergo_write(file->descriptor, s, text_length(s)) < 0 ? -1 : 1;
}

int fputs_unlocked(const char *s, FILE *file)
{
    return fputs(s, file);
}

int puts(const char *s)
{
    if (__vergo_write(1, s, text_length(s)) < 0)
        return -1;
    return put(1, '\n') < 0 ? -1 : 1;
}

size_t fwrite(const void *from, size_t size, size_t count, FILE *file)
{
    if (size == 0 || count == 0)
        return 0;
    __vergo_reads(from, count > (size_t)-1 / size ? (size_t)-1 : size * count);
    ssize_t n = __vergo_write(file->descriptor, from, size * count);
    if (n < 0) {
        file->error = 1;
        return 0;
    }
    return (size_t)n / size;
}

int fflush(FILE *file)
{
    if (file != 0)
        __vergo_reads(file, sizeof(FILE));
    return 0;
}

void perror(const char *s)
{
    if (s != 0 && *s != 0) {
        __vergo_write(2, s, text_length(s));
        __vergo_write(2, ": ", 2);
    }
    __vergo_write(2, "Error\n", 6);
}
