/* Classes of characters in the "C" locale (C17 7.4). That a character is in a class is any number but zero: the same for
   the same character and class. */

/* An argument is a character or EOF (7.4p1). */
static void claim_character(int c)
{
    __vergo_claim(c >= -1 && c <= 255, "call.argument", "the argument is neither an `unsigned char` nor `EOF`");
}

/* The result for a class, which is named by the number that it has in a run. */
static int is(int c, int class, _Bool truth)
{
    claim_character(c);
    if (!truth)
        return 0;
    if (__vergo_concrete())
        return 1;
    int r = (int)__vergo_choice(CHOICE_CLASS, class, c);
    __vergo_assume(r != 0);
    return r;
}

int isalnum(int c)
{
    return is(c, 1, (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'));
}

int isalpha(int c)
{
    return is(c, 2, (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'));
}

int isblank(int c)
{
    return is(c, 3, c == ' ' || c == '\t');
}

int iscntrl(int c)
{
    return is(c, 4, (c >= 0 && c < 32) || c == 127);
}

int isdigit(int c)
{
    return is(c, 5, c >= '0' && c <= '9');
}

int isgraph(int c)
{
    return is(c, 6, c > 32 && c < 127);
}

int islower(int c)
{
    return is(c, 7, c >= 'a' && c <= 'z');
}

int isprint(int c)
{
    return is(c, 8, c >= 32 && c < 127);
}

int ispunct(int c)
{
    return is(c, 9, (c > 32 && c < '0') || (c > '9' && c < 'A') || (c > 'Z' && c < 'a') || (c > 'z' && c < 127));
}

int isspace(int c)
{
    return is(c, 10, c == ' ' || (c >= '\t' && c <= '\r'));
}

int isupper(int c)
{
    return is(c, 11, c >= 'A' && c <= 'Z');
}

int isxdigit(int c)
{
    return is(c, 12, (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'));
}

int isascii(int c)
{
    return c >= 0 && c < 128;
}

int tolower(int c)
{
    claim_character(c);
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

int toupper(int c)
{
    claim_character(c);
    return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

int toascii(int c)
{
    return c & 127;
}
