// Static locals, shadowing in all directions, block-scope extern, same tags and names in different scopes.
#include <stdio.h>

int x = 1;
static int hidden = 50;
struct s { int a; };
int counter(void) { static int x = 10; return x++; }
int other(void) { static int x; { static int x = 100; x += 2; return x; } }
int shadow(int x) {
    int y = x;
    { static int x = 7; x++; y += x; }
    { extern int x; y += x * 1000; }
    return y + x;
}
int blocks(void) {
    int r = 0;
    for (int i = 0; i < 2; i++) { static int n = 5; struct s { char c[3]; } v = { "ab" }; r += n++ + sizeof v; }
    { static int n = 50; struct s { int b, c; } v = { 1, 2 }; r += n++ + v.c + sizeof(struct s); }
    { struct s v = { 9 }; r += v.a; }
    return r;
}
int typedefs(void) {
    typedef int T; T a = 1;
    { typedef char T; T b = 300 - 299; a += sizeof(T) + b; { int T = 5; a += T; } }
    return a + sizeof(T);
}
int enums(void) { enum { P = 3, Q }; int r = P; { enum { P = 10 }; r += P; } return r * Q; }
int later_extern(void) { extern int defined_later[]; return defined_later[1]; }
int defined_later[3] = { 1, 2, 3 };
int functions(void) { int later(int); return later(4); }
int later(int v) { static int *p = &hidden; return *p + v; }
static int table(int i) { static const char *const names[] = { "a", "bb", "ccc" }; static const int n = sizeof names / sizeof *names;
    int names_length = 0; for (const char *p = names[i % n]; *p; p++) names_length++; return names_length; }
int printf_shadow(void) { int puts = 3; { int hidden = puts; return hidden; } }
int same(int same) { return same ? same : 0; }

int main(void) {
    printf("%d %d %d\n", counter(), counter(), counter());
    printf("%d %d\n", other(), other());
    printf("%d %d\n", shadow(2), shadow(3));
    printf("%d %d\n", blocks(), blocks());
    printf("%d %d %d %d\n", typedefs(), enums(), later_extern(), functions());
    printf("%d %d %d\n", table(0), table(1), table(5));
    int x = x_again();
    printf("%d %d %d\n", x, printf_shadow(), same(6));
    return 0;
}
int x_again() { return x; }
