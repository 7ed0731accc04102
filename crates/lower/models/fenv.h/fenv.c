/* The floating-point environment (C17 7.6). Arithmetic rounds to nearest: another mode can be set but is not followed.
   Which exceptions are raised is any. */

int fegetround(void)
{
    return 0;
}

int fesetround(int mode)
{
    /* These are the modes of x86. */
    if (mode == 0x400 || mode == 0x800 || mode == 0xc00)
        __vergo_unsupported("arithmetic that does not round to nearest");
    return mode == 0 ? 0 : 1;
}

int feclearexcept(int which)
{
    (void)which;
    return 0;
}

int feraiseexcept(int which)
{
    (void)which;
    return 0;
}

int fetestexcept(int which)
{
    __vergo_approximation("fetestexcept");
    return __VERIFIER_nondet_int() & which & 0x3d;
}

struct __vergo_environment { char bytes[sizeof(long) == 8 ? 32 : 28]; };
extern struct __vergo_environment __VERIFIER_nondet_environment(void);

int fegetenv(struct __vergo_environment *to)
{
    *to = __VERIFIER_nondet_environment();
    return 0;
}

int feholdexcept(struct __vergo_environment *to)
{
    *to = __VERIFIER_nondet_environment();
    return 0;
}

static int is_default(const struct __vergo_environment *from)
{
    return (const char *)from == (const char *)-1L;
}

int fesetenv(const struct __vergo_environment *from)
{
    if (!is_default(from))
        reads(from, sizeof *from);
    return 0;
}

int feupdateenv(const struct __vergo_environment *from)
{
    return fesetenv(from);
}

int fegetexceptflag(unsigned short *to, int which)
{
    *to = (unsigned short)(__VERIFIER_nondet_int() & which);
    return 0;
}

int fesetexceptflag(const unsigned short *from, int which)
{
    reads(from, sizeof *from);
    (void)which;
    return 0;
}
