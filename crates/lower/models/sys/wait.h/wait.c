/* Waiting for processes (POSIX). */

int waitpid(int process, int *status, int options)
{
    (void)options;
    int r = __VERIFIER_nondet_int();
    if (status != 0)
        writes(status, sizeof *status);
    if (r < 0 || (process > 0 && r != 0 && r != process))
        return fails();
    if (status != 0 && r > 0)
        *status = __VERIFIER_nondet_int();
    return r;
}

int wait(int *status)
{
    int r = __VERIFIER_nondet_int();
    if (status != 0)
        writes(status, sizeof *status);
    if (r <= 0)
        return fails();
    if (status != 0)
        *status = __VERIFIER_nondet_int();
    return r;
}
