/* The only locale is "C" (C17 7.11). */

char *setlocale(int category, const char *name)
{
    static char c[] = "C";
    (void)category;
    if (name == 0 || name[0] == 0 || (name[0] == 'C' && name[1] == 0))
        return c;
    return 0;
}

char *bindtextdomain(const char *domain, const char *folder)
{
    (void)domain;
    return (char *)folder;
}

char *textdomain(const char *domain)
{
    return (char *)domain;
}

char *gettext(const char *text)
{
    return (char *)text;
}
