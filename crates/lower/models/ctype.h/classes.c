/* Classes of characters in the "C" locale (C17 7.4). */

/* An argument is a character or EOF (7.4p1). */
static void claim_character(int c)
{
    __vergo_claim(c >= -1 && c <= 255, "call.argument", "the argument is neither an `unsigned char` nor `EOF`");
}

int isalnum(int c)
{
    claim_character(c);
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

int isalpha(int c)
{
    claim_character(c);
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

int isblank(int c)
{
    claim_character(c);
    return c == ' ' || c == '\t';
}

int iscntrl(int c)
{
    claim_character(c);
    return (c >= 0 && c < 32) || c == 127;
}

int isdigit(int c)
{
    claim_character(c);
    return c >= '0' && c <= '9';
}

int isgraph(int c)
{
    claim_character(c);
    return c > 32 && c < 127;
}

int islower(int c)
{
    claim_character(c);
    return c >= 'a' && c <= 'z';
}

int isprint(int c)
{
    claim_character(c);
    return c >= 32 && c < 127;
}

int ispunct(int c)
{
    claim_character(c);
    return (c > 32 && c < '0') || (c > '9' && c < 'A') || (c > 'Z' && c < 'a') || (c > 'z' && c < 127);
}

int isspace(int c)
{
    claim_character(c);
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int isupper(int c)
{
    claim_character(c);
    return c >= 'A' && c <= 'Z';
}

int isxdigit(int c)
{
    claim_character(c);
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
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
