/* The ends of a program (C17 7.22.4) and what runs at its end. */

extern void *malloc(size_t);

static void (*handlers[64])(void);
static void (*handlers_with[64])(int, void *);
static void *arguments[64];
static unsigned count;

int atexit(void (*handler)(void))
{
    if (count >= 64)
        return -1;
    handlers[count] = handler;
    handlers_with[count] = 0;
    count++;
    return 0;
}

int on_exit(void (*handler)(int, void *), void *argument)
{
    if (count >= 64)
        return -1;
    handlers[count] = 0;
    handlers_with[count] = handler;
    arguments[count] = argument;
    count++;
    return 0;
}

void __vergo_run_handlers(void)
{
    while (count > 0) {
        count--;
        if (handlers[count] != 0)
            handlers[count]();
        else
            handlers_with[count](0, arguments[count]);
    }
}

void exit(int status)
{
    __vergo_exit_with_handlers(status);
}

void _Exit(int status)
{
    __vergo_exit(status);
}

void _exit(int status)
{
    __vergo_exit(status);
}

void quick_exit(int status)
{
    __vergo_exit(status);
}

void abort(void)
{
    __vergo_abort();
}
