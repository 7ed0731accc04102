/* Searching in strings (C17 7.24.5, POSIX, GNU). */

char *strchr(const char *s, int c)
{
    takes_text(s);
    for (;; s++) {
        if (*s == (char)c)
            return (char *)s;
        if (*s == 0)
            return 0;
    }
}

char *index(const char *s, int c)
{
    return strchr(s, c);
}

char *strchrnul(const char *s, int c)
{
    takes_text(s);
    while (*s != 0 && *s != (char)c)
        s++;
    return (char *)s;
}

char *strrchr(const char *s, int c)
{
    takes_text(s);
    const char *found = 0;
    for (;; s++) {
        if (*s == (char)c)
            found = s;
        if (*s == 0)
            return (char *)found;
    }
}

char *rindex(const char *s, int c)
{
    return strrchr(s, c);
}

size_t strspn(const char *s, const char *set)
{
    takes_text(s);
    takes_text(set);
    size_t n = 0;
    for (; s[n] != 0; n++) {
        size_t i = 0;
        while (set[i] != 0 && set[i] != s[n])
            i++;
        if (set[i] == 0)
            break;
    }
    return n;
}

size_t strcspn(const char *s, const char *set)
{
    takes_text(s);
    takes_text(set);
    size_t n = 0;
    for (; s[n] != 0; n++)
        for (size_t i = 0; set[i] != 0; i++)
            if (set[i] == s[n])
                return n;
    return n;
}

char *strpbrk(const char *s, const char *set)
{
    s += strcspn(s, set);
    return *s != 0 ? (char *)s : 0;
}

char *strstr(const char *s, const char *what)
{
    takes_text(s);
    takes_text(what);
    for (;; s++) {
        size_t i = 0;
        while (what[i] != 0 && s[i] == what[i])
            i++;
        if (what[i] == 0)
            return (char *)s;
        if (*s == 0)
            return 0;
    }
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

char *strcasestr(const char *s, const char *what)
{
    takes_text(s);
    takes_text(what);
    for (;; s++) {
        size_t i = 0;
        while (what[i] != 0 && lower(s[i]) == lower(what[i]))
            i++;
        if (what[i] == 0)
            return (char *)s;
        if (*s == 0)
            return 0;
    }
}

char *strtok_r(char *s, const char *set, char **rest)
{
    takes_text(set);
    if (s == 0)
        s = *rest;
    if (s == 0)
        return 0;
    s += strspn(s, set);
    if (*s == 0) {
        *rest = s;
        return 0;
    }
    char *end = s + strcspn(s, set);
    if (*end != 0) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = end;
    }
    return s;
}

char *__strtok_r(char *s, const char *set, char **rest)
{
    return strtok_r(s, set, rest);
}

char *strtok(char *s, const char *set)
{
    static char *rest;
    return strtok_r(s, set, &rest);
}

char *strsep(char **s, const char *set)
{
    writes(s, sizeof *s);
    takes_text(set);
    char *start = *s;
    if (start == 0)
        return 0;
    char *end = start + strcspn(start, set);
    if (*end != 0) {
        *end = 0;
        *s = end + 1;
    } else {
        *s = 0;
    }
    return start;
}

char *basename(const char *path)
{
    const char *slash = strrchr(path, '/');
    return (char *)(slash != 0 ? slash + 1 : path);
}
