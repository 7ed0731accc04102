/* The environment: a variable is not set, or set to any text of fewer than 256 characters. */

extern char __vergo_any_text[256];

char *getenv(const char *name)
{
    (void)name[0];
    if (__VERIFIER_nondet_bool())
        return 0;
    __vergo_any_text[255] = 0;
    return __vergo_any_text;
}

char *secure_getenv(const char *name)
{
    return getenv(name);
}

int setenv(const char *name, const char *value, int overwrite)
{
    (void)name, (void)value, (void)overwrite;
    return __VERIFIER_nondet_bool() ? 0 : -1;
}

int unsetenv(const char *name)
{
    (void)name;
    return __VERIFIER_nondet_bool() ? 0 : -1;
}

int putenv(char *text)
{
    (void)text;
    return __VERIFIER_nondet_bool() ? 0 : -1;
}

int system(const char *command)
{
    (void)command;
    return __VERIFIER_nondet_int();
}
