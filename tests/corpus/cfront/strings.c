// String and character literals with every prefix and escape.
#include <stdio.h>
#include <wchar.h>
#include <uchar.h>

static void dump(const void *p, size_t n) { for (size_t i = 0; i < n; i++) printf("%02x", ((const unsigned char *)p)[i]); printf("\n"); }
static const char all[] = "\a\b\f\n\r\t\v\\\'\"\?\0\1\12\123\x7f\xff\e";
static const wchar_t wide[] = L"w\u20ac\x1234" L"5\n\U0001F600";
static const char16_t c16[] = u"u\u20ac\U0001F600z";
static const char32_t c32[] = U"U\U0001F600" U"f";
static const char utf8[] = u8"\u00e9\u20ac";

int main(void) {
    dump(all, sizeof all); dump(wide, sizeof wide); dump(c16, sizeof c16); dump(c32, sizeof c32); dump(utf8, sizeof utf8);
    dump("é€😀", sizeof "é€😀");
    printf("%s|%s|%s\n", "a" "b" "c", "??=" "??/", "tab\there");
    printf("%d %d %d %d %d\n", 'a', '\n', '\377', 'ab', '\x7f');
    printf("%d %d %d\n", (int)L'\u20ac', (int)u'\u20ac', (int)U'\U0001F600');
    printf("%zu %zu %zu %zu\n", sizeof "abc", sizeof L"abc", sizeof u"abc", sizeof U"abc");
    printf("%c%c%s\n", "index"[1], 2["index"], &"skip me"[5]);
    const char *p = "shared"; char a[] = "copy"; a[0] = 'C';
    printf("%s %s %d\n", p + 1, a, *"z" == 'z');
    printf("\x41" "1\1012\n");
    printf("%s", "line one\n\
line two\n");
    printf("%%d %s %c\n", __func__, __FUNCTION__[0]);
    return 0;
}
