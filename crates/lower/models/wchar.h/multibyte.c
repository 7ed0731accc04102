/* Characters of several bytes in the "C" locale, where each takes one (C17 7.22.7, 7.22.8, 7.29.6). Bytes above 127 are
   no characters. */

static int invalid(void)
{
    *__errno_location() = 84;
    return -1;
}

int mblen(const char *s, size_t n)
{
    if (s == 0 || n == 0)
        return s == 0 ? 0 : -1;
    return s[0] == 0 ? 0 : (unsigned char)s[0] < 128 ? 1 : invalid();
}

int mbtowc(int *to, const char *s, size_t n)
{
    if (s == 0 || n == 0)
        return s == 0 ? 0 : -1;
    if ((unsigned char)s[0] > 127)
        return invalid();
    if (to != 0)
        *to = (unsigned char)s[0];
    return s[0] != 0;
}

int wctomb(char *to, int c)
{
    if (to == 0)
        return 0;
    if (c < 0 || c > 127)
        return invalid();
    *to = (char)c;
    return 1;
}

size_t mbstowcs(int *to, const char *from, size_t n)
{
    size_t i = 0;
    for (; to == 0 || i < n; i++) {
        if ((unsigned char)from[i] > 127)
            return (size_t)invalid();
        if (to != 0)
            to[i] = from[i];
        if (from[i] == 0)
            return i;
    }
    return i;
}

size_t wcstombs(char *to, const int *from, size_t n)
{
    size_t i = 0;
    for (; to == 0 || i < n; i++) {
        if (from[i] < 0 || from[i] > 127)
            return (size_t)invalid();
        if (to != 0)
            to[i] = (char)from[i];
        if (from[i] == 0)
            return i;
    }
    return i;
}

/* A state of conversion, which in the "C" locale is always the first one. */
static void uses_state(void *state)
{
    if (state != 0)
        writes(state, 8);
}

size_t mbrtowc(int *to, const char *s, size_t n, void *state)
{
    uses_state(state);
    if (s == 0)
        return 0;
    if (n == 0)
        return (size_t)-2;
    return (size_t)(ssize_t)mbtowc(to, s, n);
}

size_t wcrtomb(char *to, int c, void *state)
{
    uses_state(state);
    return to == 0 ? 1 : (size_t)(ssize_t)wctomb(to, c);
}

int btowc(int c)
{
    return c >= 0 && c < 128 ? c : -1;
}

int wctob(int c)
{
    return c >= 0 && c < 128 ? c : -1;
}

extern int fgetc(FILE *);
extern int fputc(int, FILE *);

int fgetwc(FILE *file)
{
    int c = fgetc(file);
    if (c < 128)
        return c;
    file->error = 1;
    return invalid();
}

int fputwc(int c, FILE *file)
{
    of_moving_stream(file);
    if (c < 0 || c > 127)
        return invalid();
    return fputc(c, file);
}

int *fgetws(int *to, int n, FILE *file)
{
    of_moving_stream(file);
    int i = 0;
    if (n <= 0)
        return 0;
    writes(to, (size_t)n * sizeof *to);
    while (i < n - 1) {
        int c = fgetwc(file);
        if (c < 0) {
            if (i == 0 || file->error)
                return 0;
            break;
        }
        to[i] = c;
        i++;
        if (c == '\n')
            break;
    }
    to[i] = 0;
    return to;
}

int fputws(const int *s, FILE *file)
{
    size_t n = 0;
    of_moving_stream(file);
    while (s[n] != 0)
        n++;
    for (; *s != 0; s++)
        if (fputwc(*s, file) < 0)
            return -1;
    return __vergo_concrete() ? 1 : between(0, 2147483647);
}
