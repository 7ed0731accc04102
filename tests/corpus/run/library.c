/* The library models: strings, characters, conversions, the heap, sorting. */
typedef __typeof__(sizeof 0) size_t;
int printf(const char *, ...), sprintf(char *, const char *, ...), snprintf(char *, size_t, const char *, ...), puts(const char *), putchar(int);
int sscanf(const char *, const char *, ...);
size_t strlen(const char *), strspn(const char *, const char *), strcspn(const char *, const char *);
char *strcpy(char *, const char *), *strncpy(char *, const char *, size_t), *strcat(char *, const char *), *strncat(char *, const char *, size_t);
int strcmp(const char *, const char *), strncmp(const char *, const char *, size_t), memcmp(const void *, const void *, size_t);
char *strchr(const char *, int), *strrchr(const char *, int), *strstr(const char *, const char *), *strtok(char *, const char *), *strpbrk(const char *, const char *), *strdup(const char *);
void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t), *memset(void *, int, size_t), *memchr(const void *, int, size_t);
void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t), free(void *);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *)), *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
int atoi(const char *), abs(int), isalpha(int), isdigit(int), isspace(int), ispunct(int), toupper(int), tolower(int);
long strtol(const char *, char **, int), labs(long);
unsigned long strtoul(const char *, char **, int);
double strtod(const char *, char **), atof(const char *);

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void)
{
    char buf[64], *p, *end;
    strcpy(buf, "hello"); strcat(buf, ", "); strncat(buf, "world!!!", 6);
    printf("%s %d\n", buf, (int)strlen(buf));
    printf("%d %d %d\n", strcmp("a", "b") < 0, strncmp("abc", "abd", 2), memcmp("\xff", "\1", 1) > 0);
    printf("%s %s %s %s\n", strchr(buf, 'o'), strrchr(buf, 'o'), strstr(buf, "wor"), strpbrk(buf, "xyz,"));
    printf("%d %d %d\n", (int)strspn("aabbc", "ab"), (int)strcspn("hello", "lo"), strchr("abc", 'z') == 0);
    strncpy(buf, "xy", 5); printf("%s %d\n", buf, buf[4]);
    strcpy(buf, "one two  three");
    for (p = strtok(buf, " "); p; p = strtok(0, " ")) printf("[%s]", p);
    printf("\n");
    memset(buf, 'x', 8); memmove(buf + 2, buf, 4); memcpy(buf + 3, "yz", 2); buf[9] = 0; printf("%.9s %d\n", buf, (char *)memchr(buf, 'z', 9) - buf);
    int a[] = {5, -3, 9, 0, 2, 2}, key = 9;
    qsort(a, 6, sizeof *a, by_value);
    for (int i = 0; i < 6; i++) printf("%d ", a[i]);
    printf("%d\n", (int)((int *)bsearch(&key, a, 6, sizeof *a, by_value) - a));
    const char *w[] = {"pear", "apple", "fig"};
    qsort(w, 3, sizeof *w, by_text);
    printf("%s %s %s\n", w[0], w[1], w[2]);
    printf("%d %ld %ld %ld %lu\n", atoi(" -42x"), strtol("0x1f", &end, 0), strtol("777", 0, 8), strtol("99999999999999999999", 0, 10), strtoul("-1", 0, 10));
    printf("%g %g %s\n", atof("2.5e3"), strtod("1.25rest", &end), end);
    for (p = "aZ9 !\n"; *p; p++) printf("%d%d%d%d%c%c ", !!isalpha(*p), !!isdigit(*p), !!isspace(*p), !!ispunct(*p), toupper(*p), tolower(*p));
    printf("\n");
    int *m = malloc(3 * sizeof *m), *z = calloc(4, sizeof *z);
    m[0] = 1; m[1] = 2; m[2] = 3; m = realloc(m, 10 * sizeof *m); m[9] = 7;
    printf("%d %d %d\n", m[2] + m[9], z[3], m != z);
    free(m); free(z); free(0);
    p = strdup("copy"); printf("%s\n", p); free(p);
    printf("%d ", sprintf(buf, "%5.2f|%-6s|%+d|%x|%o|%c|%%", 3.14159, "ab", 7, 255, 8, 'c')); puts(buf);
    printf("%d ", snprintf(buf, 5, "%s", "truncated")); puts(buf);
    int i; char s[8]; double d;
    printf("%d ", sscanf("12 abc 3.5", "%d %7s %lf", &i, s, &d)); printf("%d %s %g\n", i, s, d);
    printf("%*d|%-*d|%.*s|%5s|%p\n", 5, 1, 4, 2, 2, "xyz", "r", (void *)0);
    printf("%hhd %hd %ld %lld %zu %u\n", (signed char)-1, (short)-2, -3L, -4LL, sizeof(int), 5u);
    putchar('a'); putchar('\n');
    printf("%d %ld\n", abs(-5), labs(-6L));
    return 0;
}
