// Classes of wide characters, texts of them, and formatted output with them.
typedef __typeof__(L'x') wchar_t;
typedef __typeof__(sizeof 0) size_t;
int printf(const char *, ...), swprintf(wchar_t *, size_t, const wchar_t *, ...);
void free(void *);
wchar_t *wcsncat(wchar_t *, const wchar_t *, size_t), *wcsrchr(const wchar_t *, wchar_t), *wcsstr(const wchar_t *, const wchar_t *);
wchar_t *wcspbrk(const wchar_t *, const wchar_t *), *wcstok(wchar_t *, const wchar_t *, wchar_t **), *wcsdup(const wchar_t *);
wchar_t *wmemcpy(wchar_t *, const wchar_t *, size_t), *wmemmove(wchar_t *, const wchar_t *, size_t), *wmemchr(const wchar_t *, wchar_t, size_t);
size_t wcslen(const wchar_t *), wcsspn(const wchar_t *, const wchar_t *), wcscspn(const wchar_t *, const wchar_t *), wcsnlen(const wchar_t *, size_t);
int wmemcmp(const wchar_t *, const wchar_t *, size_t);
int iswalpha(unsigned), iswdigit(unsigned), iswspace(unsigned), iswupper(unsigned);
unsigned towupper(unsigned), towlower(unsigned);

int main(void)
{
    wchar_t a[20] = L"one", b[20];
    wcsncat(a, L"two three", 4);
    printf("%ls %zu %lc|%6ls|%-6ls|%.2ls|\n", a, wcslen(a), L'!', L"abc", L"abc", L"abc");
    printf("%d %d %d\n", (int)(wcsrchr(a, L'o') - a), (int)(wcsstr(a, L"et") - a), wcsstr(a, L"te") == 0);
    printf("%zu %zu %zu\n", wcsspn(a, L"neo"), wcscspn(a, L"wt"), wcsnlen(a, 4));
    printf("%d %d\n", (int)(wcspbrk(a, L"wt") - a), wmemcmp(a, L"onf", 3) < 0);
    wmemmove(a + 1, a, 3);
    wmemcpy(b, a, 8);
    printf("%ls %ls\n", a, wmemchr(b, L'e', 8));
    wchar_t list[] = L"a, bc,,d", *rest;
    for (wchar_t *word = wcstok(list, L", ", &rest); word != 0; word = wcstok(0, L", ", &rest))
        printf("[%ls]", word);
    printf("\n%d ", swprintf(b, 20, L"%d-%s-%ls", 42, "x", L"yz"));
    printf("%ls ", b);
    printf("%d\n", swprintf(b, 3, L"%d", 1234) < 0);
    wchar_t *copy = wcsdup(L"kept");
    printf("%ls %d%d%d%d\n", copy, iswalpha(L'x') != 0, iswdigit(L'x') != 0, iswspace(L'\t') != 0, iswupper(~0u) != 0);
    free(copy);
    printf("%lc%lc\n", towupper(L'b'), towlower(L'B'));
    return 0;
}
