/* Random numbers: any number of the documented range (C17 7.22.2, POSIX). */

int rand(void)
{
    int r = __VERIFIER_nondet_int();
    __vergo_assume(r >= 0);
    return r;
}

void srand(unsigned seed)
{
    (void)seed;
}

int rand_r(unsigned *seed)
{
    *seed = (unsigned)__VERIFIER_nondet_int();
    return rand();
}

long random(void)
{
    return rand();
}

void srandom(unsigned seed)
{
    (void)seed;
}

double drand48(void)
{
    double r = __VERIFIER_nondet_double();
    __vergo_assume(r >= 0.0 && r < 1.0);
    return r;
}

void srand48(long seed)
{
    (void)seed;
}

long lrand48(void)
{
    return rand();
}

unsigned arc4random(void)
{
    return (unsigned)__VERIFIER_nondet_int();
}
