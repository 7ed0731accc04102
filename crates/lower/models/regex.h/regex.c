/* Regular expressions (POSIX). Whether a text matches, and where, is not computed: it is any, and a counterexample that
   passes here is none for sure. */

extern void *malloc(size_t);
extern void free(void *);

struct __vergo_regex { void *program; size_t allocated, used; unsigned long syntax; char *fastmap, *translate; size_t n_groups; unsigned flags; };
struct __vergo_match { int start, end; };

static size_t groups_of(const char *pattern)
{
    size_t n = 0;
    for (; *pattern != 0; pattern++)
        n += *pattern == '(';
    return n;
}

int regcomp(struct __vergo_regex *to, const char *pattern, int flags)
{
    takes_text(pattern);
    writes(to, sizeof *to);
    size_t groups = groups_of(pattern), most = __VERIFIER_nondet_ulong();
    if (__VERIFIER_nondet_bool())
        return between(1, 16);
    to->program = malloc(1);
    if (to->program == 0)
        return 12;
    __vergo_assume(most <= groups);
    to->n_groups = most;
    to->flags = (unsigned)flags;
    return 0;
}

int regexec(const struct __vergo_regex *of, const char *text, size_t n, struct __vergo_match *to, int flags)
{
    reads(of, sizeof *of);
    (void)flags;
    size_t length = 0;
    while (text[length] != 0)
        length++;
    /* With `REG_NOSUB`, and for none, there is no place for matches. */
    if ((of->flags & 8) != 0)
        n = 0;
    writes(to, n * sizeof *to);
    __vergo_approximation("regexec");
    int r = __VERIFIER_nondet_int();
    __vergo_assume(r == 0 || r == 1 || r == 12);
    if (r != 0)
        return r;
    for (size_t i = 0; i < n; i++) {
        int start = __VERIFIER_nondet_int(), end = __VERIFIER_nondet_int();
        __vergo_assume((start >= 0 && start <= end && (size_t)end <= length) || (i > 0 && start == -1 && end == -1));
        to[i].start = start;
        to[i].end = end;
    }
    return 0;
}

void regfree(struct __vergo_regex *of)
{
    writes(of, sizeof *of);
    free(of->program);
    of->program = 0;
}

size_t regerror(int number, const struct __vergo_regex *of, char *to, size_t n)
{
    (void)number;
    if (of != 0)
        __vergo_copies(of, sizeof *of);
    writes(to, n);
    size_t length = (size_t)between(0, 255);
    if (n > 0) {
        fills(to, n);
        to[length < n ? length : n - 1] = 0;
    }
    return length + 1;
}
