/* The ends of a program (C17 7.22.4) and what runs at its end. */

extern void *malloc(size_t);

static void (*handlers[64])(void);
static void (*handlers_with[64])(int, void *);
static void *arguments[64];
static unsigned count;
static int status_at_end;

/* Thirty-two have to be possible (7.22.4.2p3); more are, as long as there is memory for them. */
static int is_full(void)
{
    if (count >= 64)
        __vergo_unsupported("more than 64 functions to call at exit");
    return count >= 32 && __vergo_malloc_may_fail() && __VERIFIER_nondet_bool();
}

int atexit(void (*handler)(void))
{
    if (is_full())
        return -1;
    handlers[count] = handler;
    handlers_with[count] = 0;
    count++;
    return 0;
}

int on_exit(void (*handler)(int, void *), void *argument)
{
    if (is_full())
        return -1;
    handlers[count] = 0;
    handlers_with[count] = handler;
    arguments[count] = argument;
    count++;
    return 0;
}

/* The program is about to end with a status. */
void __vergo_note_status(int status)
{
    status_at_end = status;
}

void __vergo_run_handlers(void)
{
    while (count > 0) {
        count--;
        if (handlers[count] != 0)
            handlers[count]();
        else
            handlers_with[count](status_at_end, arguments[count]);
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
