/* The environment: a variable is not set, or set to any text of fewer than 256 characters. */

extern char __vergo_any_text[256];

char *getenv(const char *name)
{
    __vergo_reads(name, __vergo_text_size(name, (size_t)-1 >> 1));
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
    (void)overwrite;
    __vergo_reads(name, __vergo_text_size(name, (size_t)-1 >> 1));
    __vergo_reads(value, __vergo_text_size(value, (size_t)-1 >> 1));
    return __VERIFIER_nondet_bool() ? 0 : -1;
}

int unsetenv(const char *name)
{
    __vergo_reads(name, __vergo_text_size(name, (size_t)-1 >> 1));
    return __VERIFIER_nondet_bool() ? 0 : -1;
}

int putenv(char *text)
{
    __vergo_reads(text, __vergo_text_size(text, (size_t)-1 >> 1));
    return __VERIFIER_nondet_bool() ? 0 : -1;
}

int system(const char *command)
{
    if (command != 0)
        __vergo_reads(command, __vergo_text_size(command, (size_t)-1 >> 1));
    return __VERIFIER_nondet_int();
}
