/* The error number, one for each thread (C17 7.5). */

static _Thread_local int number;

int *__errno_location(void)
{
    return &number;
}

int *__error(void)
{
    return &number;
}

int *__errno(void)
{
    return &number;
}
