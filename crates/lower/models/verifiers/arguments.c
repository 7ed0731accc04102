/* The arguments of a `main` that looks at them one by one, made when it does: any texts. Each ends where its object does, so
   that nothing behind it can be read. */

enum { FIRST = 6, OTHERS = 2 };

struct __vergo_looked_at {
    ptrdiff_t index;
    char *text;
};

static int count;
/* The first ones by index, and others in the order in which they are looked at. */
static char *first[FIRST];
static struct __vergo_looked_at others[OTHERS];
static unsigned n_others;
extern char __vergo_argument_0[65536], __vergo_argument_1[65536], __vergo_argument_2[65536],
    __vergo_argument_3[65536], __vergo_argument_4[65536], __vergo_argument_5[65536],
    __vergo_argument_6[65536], __vergo_argument_7[65536];

static char *storage(size_t i)
{
    return i == 0 ? __vergo_argument_0 : i == 1 ? __vergo_argument_1 : i == 2 ? __vergo_argument_2
         : i == 3 ? __vergo_argument_3 : i == 4 ? __vergo_argument_4 : i == 5 ? __vergo_argument_5
         : i == 6 ? __vergo_argument_6 : __vergo_argument_7;
}

static char *__vergo_made_argument(ptrdiff_t index, size_t number)
{
    /* Which one it is, is an input too, for those who read counterexamples. */
    __vergo_assume(__VERIFIER_nondet_long() == index);
    size_t length = __VERIFIER_nondet_ulong();
    __vergo_assume(length < 65536);
    char *text = storage(number);
    text[65535] = 0;
    return text + (65535 - length);
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
    __vergo_claim(0 <= index && index <= count, "memory.bounds", "`argv` has no such element");
    if (index == count)
        return 0;
    if (index < 0 || index > count)
        __vergo_unsupported("an element of `argv` that is not there");
    if (index < FIRST) {
        if (first[index] == 0)
            first[index] = __vergo_made_argument(index, index);
        return first[index];
    }
    for (unsigned i = 0; i < n_others; i++)
        if (others[i].index == index)
            return others[i].text;
    if (n_others >= OTHERS)
        __vergo_unsupported("many arguments behind the sixth");
    others[n_others].index = index;
    others[n_others].text = __vergo_made_argument(index, FIRST + n_others);
    return others[n_others++].text;
}
