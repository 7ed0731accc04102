/* Calls that are made once (POSIX, C11): zero before, one while the call runs, two after. Who comes meanwhile waits. */

int pthread_once(int *control, void (*run)(void))
{
    __vergo_atomic_begin();
    writes(control, sizeof *control);
    __vergo_atomic_end();
    __vergo_atomic_begin();
    int first = *control == 0;
    if (first)
        *control = 1;
    __vergo_atomic_end();
    if (first) {
        run();
        __vergo_atomic_begin();
        *control = 2;
        __vergo_atomic_end();
    } else {
        __vergo_atomic_begin();
        __vergo_await(*control == 2, "the call that the thread waits for never ends");
        __vergo_atomic_end();
    }
    return 0;
}

void call_once(int *flag, void (*run)(void))
{
    pthread_once(flag, run);
}
