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

char *bindtextdomain(const char *domain, const char *folder)
{
    __vergo_reads(domain, __vergo_text_size(domain, (size_t)-1 >> 1));
    if (folder != 0)
        __vergo_reads(folder, __vergo_text_size(folder, (size_t)-1 >> 1));
    return (char *)folder;
}

char *textdomain(const char *domain)
{
    if (domain != 0)
        __vergo_reads(domain, __vergo_text_size(domain, (size_t)-1 >> 1));
    return (char *)domain;
}

char *gettext(const char *text)
{
    __vergo_reads(text, __vergo_text_size(text, (size_t)-1 >> 1));
    return (char *)text;
}
