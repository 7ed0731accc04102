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

/* The layout that glibc has on x86. */
struct sigaction {
    void (*handler)(int);
    unsigned long mask[1024 / (8 * sizeof(long))];
    int flags;
    void (*restorer)(void);
};

static struct sigaction actions[65];

int sigaction(int number, const struct sigaction *new, struct sigaction *old)
{
    if (number < 1 || number > 64 || (new != 0 && !is_settable(number))) {
        *__errno_location() = 22;
        return -1;
    }
    struct sigaction before = actions[number];
    before.handler = handlers[number];
    if (new != 0) {
        struct sigaction after = *new;
        if ((after.flags & 4) != 0 && after.handler != (void (*)(int))0 && after.handler != (void (*)(int))1L)
            __vergo_unsupported("a signal handler that gets more than the number");
        actions[number] = after;
        signal(number, after.handler);
    }
    if (old != 0)
        *old = before;
    return 0;
}

struct __vergo_signals { unsigned long words[1024 / (8 * sizeof(long))]; };
extern struct __vergo_signals __VERIFIER_nondet_signals(void);

int sigemptyset(struct __vergo_signals *set)
{
    *set = (struct __vergo_signals){ { 0 } };
    return 0;
}

int sigfillset(struct __vergo_signals *set)
{
    for (unsigned i = 0; i < sizeof set->words / sizeof *set->words; i++)
        set->words[i] = (unsigned long)-1;
    return 0;
}

static int is_signal(int number)
{
    if (number >= 1 && number <= 64)
        return 1;
    *__errno_location() = 22;
    return 0;
}

int sigaddset(struct __vergo_signals *set, int number)
{
    writes(set, sizeof *set);
    if (!is_signal(number))
        return -1;
    unsigned bit = (unsigned)number - 1, width = 8 * sizeof(long);
    set->words[bit / width] |= 1UL << bit % width;
    return 0;
}

int sigdelset(struct __vergo_signals *set, int number)
{
    writes(set, sizeof *set);
    if (!is_signal(number))
        return -1;
    unsigned bit = (unsigned)number - 1, width = 8 * sizeof(long);
    set->words[bit / width] &= ~(1UL << bit % width);
    return 0;
}

int sigismember(const struct __vergo_signals *set, int number)
{
    __vergo_copies(set, sizeof *set);
    if (!is_signal(number))
        return -1;
    unsigned bit = (unsigned)number - 1, width = 8 * sizeof(long);
    return (int)(set->words[bit / width] >> bit % width & 1);
}

/* Blocked signals are not followed: `raise` does not wait. */
int sigprocmask(int how, const struct __vergo_signals *set, struct __vergo_signals *old)
{
    if (set != 0) {
        reads(set, sizeof *set);
        if (how < 0 || how > 2) {
            *__errno_location() = 22;
            return -1;
        }
    }
    if (old != 0)
        *old = __VERIFIER_nondet_signals();
    return 0;
}

int pthread_sigmask(int how, const struct __vergo_signals *set, struct __vergo_signals *old)
{
    return sigprocmask(how, set, old) == 0 ? 0 : 22;
}
