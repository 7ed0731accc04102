/* Locales (C17 7.11): which there are besides "C" is the implementation's, and the other models follow "C" alone. */

struct lconv {
    char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol, *mon_decimal_point;
    char *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign;
    char int_frac_digits, frac_digits, p_cs_precedes, p_sep_by_space, n_cs_precedes, n_sep_by_space, p_sign_posn;
    char n_sign_posn, int_p_cs_precedes, int_p_sep_by_space, int_n_cs_precedes, int_n_sep_by_space, int_p_sign_posn;
    char int_n_sign_posn;
};

char *setlocale(int category, const char *name)
{
    static char c[] = "C";
    (void)category;
    if (name == 0 || (name[0] == 'C' && name[1] == 0))
        return c;
    reads_text(name);
    if (__vergo_concrete())
        return name[0] == 0 ? c : 0;
    return __VERIFIER_nondet_bool() ? c : 0;
}

/* In the "C" locale (7.11.2.1p3). */
struct lconv *localeconv(void)
{
    static char point[] = ".", none[] = "";
    static struct lconv c = {
        point, none, none, none, none, none, none, none, none, none, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127,
        127, 127, 127,
    };
    return &c;
}

struct __vergo_name { char text[256]; };
extern struct __vergo_name __VERIFIER_nondet_name(void);

/* The name that is in force, in memory of the library. What it is is not followed: any text. */
static char *name_of(const char *given, const char *initial, struct __vergo_name *own)
{
    if (__vergo_concrete())
        return (char *)(given != 0 ? given : initial);
    if (__vergo_malloc_may_fail() && __VERIFIER_nondet_bool())
        return (fails(), (char *)0);
    __vergo_approximation("textdomain");
    *own = __VERIFIER_nondet_name();
    own->text[255] = 0;
    return own->text + between(0, 255);
}

char *bindtextdomain(const char *domain, const char *folder)
{
    if (domain != 0)
        reads_text(domain);
    if (folder != 0)
        reads_text(folder);
    if (domain == 0 || *domain == 0)
        return 0;
    static struct __vergo_name own;
    return name_of(folder, "/usr/share/locale", &own);
}

char *textdomain(const char *domain)
{
    if (domain != 0)
        reads_text(domain);
    static struct __vergo_name own;
    return name_of(domain, "messages", &own);
}

char *gettext(const char *text)
{
    reads_text(text);
    return (char *)text;
}
