/* Texts of error and signal numbers (C17 7.24.6.2, POSIX). */

char *strerror(int number)
{
    static char text[24];
    const char *base = number == 0 ? "Success" : "Error";
    size_t i = 0;
    for (; base[i] != 0; i++)
        text[i] = base[i];
    text[i] = 0;
    return text;
}

char *strsignal(int number)
{
    (void)number;
    static char text[] = "Signal";
    return text;
}
