/* The only locale is "C" (C17 7.11). */

char *setlocale(int category, const char *name)
{
    static char c[] = "C";
    (void)category;
    if (name != 0)
        __vergo_reads(name, __vergo_text_size(name, (size_t)-1 >> 1));
    if (name == 0 || name[0] == 0 || (name[0] == 'C' && name[1] == 0))
        return c;
    return 0;
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
