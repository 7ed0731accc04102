/* The environment (C17 7.22.4.6, 7.22.4.8, POSIX). A variable is not set, or set to any text; asking again for the same
   name gives the same. The text ends where its object does, so that nothing behind it can be read. */

struct __vergo_variable {
    unsigned long long name[4];
    char *text;
    /* The place below that holds its text, if it is below 4. */
    unsigned slot;
};

static struct __vergo_variable known[4];
static unsigned n_known;
static struct __vergo_variable missing;
/* Places below that hold a text. */
static unsigned n_used;
/* Whether all others are known not to be set. */
static int is_empty;
extern unsigned __vergo_zone_changes;
/* What a variable can hold at most on Linux. */
extern char __vergo_value_0[131072], __vergo_value_1[131072], __vergo_value_2[131072], __vergo_value_3[131072];

static char *storage(unsigned i)
{
    return i == 0 ? __vergo_value_0 : i == 1 ? __vergo_value_1 : i == 2 ? __vergo_value_2 : __vergo_value_3;
}

/* The characters of a name in four words; zero if they do not fit. */
static int packed(const char *name, size_t length, unsigned long long *to)
{
    to[0] = to[1] = to[2] = to[3] = 0;
    for (size_t i = 0; i < length && i < 32; i++)
        to[i / 8] |= (unsigned long long)(unsigned char)name[i] << i % 8 * 8;
    return length <= 32;
}

/* A text of some length for a variable, with its end at the end of its object. Where it had one, that may be written over. */
static char *room(struct __vergo_variable *of, size_t length)
{
    if (of->slot >= 4 || __vergo_concrete() || __VERIFIER_nondet_bool()) {
        if (n_used >= 4)
            __vergo_unsupported("many variables of the environment");
        of->slot = n_used++;
    }
    char *text = storage(of->slot);
    text[131071] = 0;
    return of->text = text + (131071 - length);
}

/* What is known about a name. An entry for it is made if there is none: for a variable that is set now, with nothing; else with any
   text or none. In a run there are no variables but those that are set. */
static struct __vergo_variable *variable(const char *name, size_t length, int is_set_now)
{
    unsigned long long key[4];
    int fits = packed(name, length, key);
    for (unsigned i = 0; i < n_known; i++)
        if (fits && known[i].name[0] == key[0] && known[i].name[1] == key[1] && known[i].name[2] == key[2]
            && known[i].name[3] == key[3])
            return &known[i];
    if (__vergo_concrete() && !is_set_now)
        return &missing;
    if (!fits || n_known >= 4)
        __vergo_unsupported("many variables of the environment, or a long name");
    struct __vergo_variable *entry = &known[n_known++];
    entry->name[0] = key[0];
    entry->name[1] = key[1];
    entry->name[2] = key[2];
    entry->name[3] = key[3];
    entry->text = 0;
    entry->slot = 4;
    if (!is_set_now && !is_empty && !__VERIFIER_nondet_bool())
        /* Any length, and no choice that is in vain. */
        room(entry, __VERIFIER_nondet_ulong() & 131071);
    return entry;
}

/* Local time may be another one from now on. */
static void changes(const char *name, size_t length)
{
    if (length == 2 && name[0] == 'T' && name[1] == 'Z')
        __vergo_zone_changes++;
}

static size_t name_length(const char *name)
{
    size_t n = 0;
    while (name[n] != 0 && name[n] != '=')
        n++;
    return n;
}

char *getenv(const char *name)
{
    size_t n = 0;
    while (name[n] != 0)
        n++;
    return variable(name, n, 0)->text;
}

char *secure_getenv(const char *name)
{
    return !__vergo_concrete() && __VERIFIER_nondet_bool() ? 0 : getenv(name);
}

static int is_no_name(const char *name, size_t length)
{
    if (length != 0 && name[length] == 0)
        return 0;
    *__errno_location() = 22;
    return 1;
}

/* The text is copied. */
int setenv(const char *name, const char *value, int overwrite)
{
    reads_text(name);
    reads_text(value);
    size_t n = name_length(name), length = 0;
    if (is_no_name(name, n))
        return -1;
    if (is_missing())
        return fails();
    struct __vergo_variable *entry = variable(name, n, overwrite || __vergo_concrete());
    if (entry->text != 0 && !overwrite)
        return 0;
    while (value[length] != 0)
        length++;
    if (length > 131071)
        __vergo_unsupported("a long variable of the environment");
    char *text = room(entry, length);
    for (size_t i = 0; i < length; i++)
        text[i] = value[i];
    changes(name, n);
    return 0;
}

int unsetenv(const char *name)
{
    reads_text(name);
    size_t n = name_length(name);
    if (is_no_name(name, n))
        return -1;
    if (is_missing())
        return fails();
    variable(name, n, 1)->text = 0;
    changes(name, n);
    return 0;
}

/* The text itself is the variable from now on. Without a value the variable is gone, as in glibc. */
int putenv(char *text)
{
    reads_text(text);
    size_t n = name_length(text);
    if (is_missing()) {
        int r = __VERIFIER_nondet_int();
        __vergo_assume(r != 0);
        return fails(), r;
    }
    struct __vergo_variable *entry = variable(text, n, 1);
    entry->text = text[n] == 0 ? 0 : text + n + 1;
    entry->slot = 4;
    changes(text, n);
    return 0;
}

int clearenv(void)
{
    if (is_missing())
        return fails();
    n_known = 0;
    is_empty = 1;
    __vergo_zone_changes++;
    return 0;
}

int system(const char *command)
{
    if (command != 0)
        reads_text(command);
    return __VERIFIER_nondet_int();
}
