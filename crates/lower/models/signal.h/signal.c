/* Signals (C17 7.14). None arrives by itself; `raise` does what the handler or the default action says. */

static void (*handlers[65])(int);

static int is_settable(int number)
{
    return number >= 1 && number <= 64 && number != 9 && number != 19;
}

void (*signal(int number, void (*handler)(int)))(int)
{
    if (!is_settable(number)) {
        *__errno_location() = 22;
        return (void (*)(int))-1L;
    }
    /* `abort` ends the program without a look at the handlers. */
    if (number == 6 && handler != (void (*)(int))0 && handler != (void (*)(int))1L)
        __vergo_unsupported("a handler of `SIGABRT`");
    void (*old)(int) = handlers[number];
    handlers[number] = handler;
    return old;
}

int raise(int number)
{
    if (number < 0 || number > 64) {
        *__errno_location() = 22;
        return -1;
    }
    void (*handler)(int) = handlers[number];
    if (number == 0 || handler == (void (*)(int))1L)
        return 0;
    if (handler != (void (*)(int))0) {
        handler(number);
        return 0;
    }
    /* By default these are ignored: SIGCHLD, SIGCONT, SIGURG, SIGWINCH. */
    if (number == 17 || number == 18 || number == 23 || number == 28)
        return 0;
    if (number >= 19 && number <= 22)
        __vergo_unsupported("a signal that stops the program");
    if (number == 6)
        __vergo_abort();
    /* The status that a shell sees. */
    __vergo_exit(128 + number);
    return 0;
}
