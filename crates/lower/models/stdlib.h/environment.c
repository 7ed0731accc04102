/* The environment (C17 7.22.4.6, 7.22.4.8, POSIX). A variable is not set, or set to any text; asking again for the same
   name gives the same. The text ends where its object does, so that nothing behind it can be read. */

struct __vergo_variable {
    unsigned long long name[4];
    char *text;
};

static struct __vergo_variable known[4];
static unsigned n_known;
/* What a variable can hold at most on Linux. */
extern char __vergo_value_0[131072], __vergo_value_1[131072], __vergo_value_2[131072], __vergo_value_3[131072];

static char *storage(unsigned i)
{
    return i == 0 ? __vergo_value_0 : i == 1 ? __vergo_value_1 : i == 2 ? __vergo_value_2 : __vergo_value_3;
}

/* The characters of a name in four words; zero if they do not fit. */
static int packed(const char *name, unsigned long long *to)
{
    size_t i = 0;
    to[0] = to[1] = to[2] = to[3] = 0;
    for (; name[i] != 0; i++)
        if (i < 32)
            to[i / 8] |= (unsigned long long)(unsigned char)name[i] << i % 8 * 8;
    return i <= 32;
}

static char *any_value(void)
{
    if (__VERIFIER_nondet_bool())
        return 0;
    char *text = storage(n_known & 3);
    /* Any length, and no choice that is in vain. */
    size_t length = __VERIFIER_nondet_ulong() & 131071;
    text[131071] = 0;
    return text + (131071 - length);
}

char *getenv(const char *name)
{
    unsigned long long key[4];
    int fits = packed(name, key);
    if (__vergo_concrete())
        return 0;
    for (unsigned i = 0; i < n_known; i++)
        if (fits && known[i].name[0] == key[0] && known[i].name[1] == key[1] && known[i].name[2] == key[2]
            && known[i].name[3] == key[3])
            return known[i].text;
    if (!fits || n_known >= 4)
        __vergo_unsupported("many variables of the environment, or a long name");
    char *text = any_value();
    known[n_known].name[0] = key[0];
    known[n_known].name[1] = key[1];
    known[n_known].name[2] = key[2];
    known[n_known].name[3] = key[3];
    known[n_known].text = text;
    n_known++;
    return text;
}

char *secure_getenv(const char *name)
{
    return __VERIFIER_nondet_bool() ? 0 : getenv(name);
}

/* What is set is not followed: every variable may be anything from then on. */
int setenv(const char *name, const char *value, int overwrite)
{
    (void)overwrite;
    reads_text(name);
    reads_text(value);
    n_known = 0;
    return may_fail();
}

int unsetenv(const char *name)
{
    reads_text(name);
    n_known = 0;
    return may_fail();
}

int putenv(char *text)
{
    reads_text(text);
    n_known = 0;
    return __VERIFIER_nondet_bool() ? 0 : (fails(), __VERIFIER_nondet_int());
}

int clearenv(void)
{
    n_known = 0;
    return may_fail();
}

int system(const char *command)
{
    if (command != 0)
        reads_text(command);
    return __VERIFIER_nondet_int();
}
