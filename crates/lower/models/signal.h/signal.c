/* Signals: no asynchronous signal arrives (C17 7.14). */

void (*signal(int number, void (*handler)(int)))(int)
{
    (void)number, (void)handler;
    return 0;
}

int raise(int number)
{
    (void)number;
    __vergo_unsupported("`raise`");
    return 0;
}
