/* The arguments of a `main` that looks at them one by one, made when it does: any texts. Each ends where its object does, so
   that nothing behind it can be read. */

struct __vergo_looked_at {
    ptrdiff_t index;
    char *text;
};

static struct __vergo_looked_at looked_at[8];
static unsigned n_looked_at;
static int count;
extern char __vergo_argument_0[65536], __vergo_argument_1[65536], __vergo_argument_2[65536],
    __vergo_argument_3[65536], __vergo_argument_4[65536], __vergo_argument_5[65536],
    __vergo_argument_6[65536], __vergo_argument_7[65536];

static char *storage(unsigned i)
{
    return i == 0 ? __vergo_argument_0 : i == 1 ? __vergo_argument_1 : i == 2 ? __vergo_argument_2
         : i == 3 ? __vergo_argument_3 : i == 4 ? __vergo_argument_4 : i == 5 ? __vergo_argument_5
         : i == 6 ? __vergo_argument_6 : __vergo_argument_7;
}

/* How many there are. */
int __vergo_argument_count(void)
{
    count = __VERIFIER_nondet_int();
    __vergo_assume(0 < count && count < 65536);
    return count;
}

/* The one of an index; behind the last is a null pointer (C17 5.1.2.2.1p2). */
char *__vergo_argument(ptrdiff_t index)
{
    __vergo_claim(0 <= index && index <= count, "memory.bounds", "`argv` has that element");
    if (index == count)
        return 0;
    if (index < 0 || index > count)
        __vergo_unsupported("an element of `argv` that is not there");
    for (unsigned i = 0; i < n_looked_at; i++)
        if (looked_at[i].index == index)
            return looked_at[i].text;
    if (n_looked_at >= 8)
        __vergo_unsupported("more than eight arguments");
    /* Which one it is, is an input too, for those who read counterexamples. */
    __vergo_assume(__VERIFIER_nondet_long() == index);
    size_t length = __VERIFIER_nondet_ulong();
    __vergo_assume(length < 65536);
    char *text = storage(n_looked_at);
    text[65535] = 0;
    looked_at[n_looked_at].index = index;
    looked_at[n_looked_at].text = text + (65535 - length);
    return looked_at[n_looked_at++].text;
}
