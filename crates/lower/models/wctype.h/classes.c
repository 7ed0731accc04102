/* Classes of wide characters in the "C" locale (C17 7.30): those of `<ctype.h>` for ASCII, and no others. */

extern int isalnum(int);
extern int isalpha(int);
extern int isblank(int);
extern int iscntrl(int);
extern int isdigit(int);
extern int isgraph(int);
extern int islower(int);
extern int isprint(int);
extern int ispunct(int);
extern int isspace(int);
extern int isupper(int);
extern int isxdigit(int);
extern int tolower(int);
extern int toupper(int);

/* An argument is a wide character or WEOF (7.30p5), which is in no class. */
static _Bool is_ascii(unsigned c)
{
    return c < 128;
}

int iswalnum(unsigned c)
{
    return is_ascii(c) ? isalnum((int)c) : 0;
}

int iswalpha(unsigned c)
{
    return is_ascii(c) ? isalpha((int)c) : 0;
}

int iswblank(unsigned c)
{
    return is_ascii(c) ? isblank((int)c) : 0;
}

int iswcntrl(unsigned c)
{
    return is_ascii(c) ? iscntrl((int)c) : 0;
}

int iswdigit(unsigned c)
{
    return is_ascii(c) ? isdigit((int)c) : 0;
}

int iswgraph(unsigned c)
{
    return is_ascii(c) ? isgraph((int)c) : 0;
}

int iswlower(unsigned c)
{
    return is_ascii(c) ? islower((int)c) : 0;
}

int iswprint(unsigned c)
{
    return is_ascii(c) ? isprint((int)c) : 0;
}

int iswpunct(unsigned c)
{
    return is_ascii(c) ? ispunct((int)c) : 0;
}

int iswspace(unsigned c)
{
    return is_ascii(c) ? isspace((int)c) : 0;
}

int iswupper(unsigned c)
{
    return is_ascii(c) ? isupper((int)c) : 0;
}

int iswxdigit(unsigned c)
{
    return is_ascii(c) ? isxdigit((int)c) : 0;
}

unsigned towlower(unsigned c)
{
    return is_ascii(c) ? (unsigned)tolower((int)c) : c;
}

unsigned towupper(unsigned c)
{
    return is_ascii(c) ? (unsigned)toupper((int)c) : c;
}
