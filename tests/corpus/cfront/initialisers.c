// Initialisers: designators, ranges, overrides, nested braces and their absence, strings, flexible members.
#include <stdio.h>

int sparse[] = { [5] = 5, 6, [2] = 2, 3, [8 ... 10] = 9, [9] = 1 };
struct s { int a; int b[3]; struct { char c; double d; } in; char name[6]; };
struct s flat = { 1, 2, 3, 4, 'c', 1.5, "abc" };
struct s named = { .in.d = 2.5, .b[1] = 7, .name = { 'x', 'y' }, .a = 3, };
struct s many[] = { [1] = { .b = { [2] = 4 } }, [0].in.c = 'q', [2] = { 9 }, };
char exact[3] = "abc";
char padded[8] = "ab";
char joined[] = "ab" "cd\0ef";
char braced[] = { "braced" };
unsigned char bytes[] = "\xff\x80\1\377";
int matrix[2][3] = { 1, 2, 3, 4 };
int cube[][2][2] = { { { 1 }, { 2, 3 } }, { 4, 5, 6 } };
struct flex { int n; int items[]; };
static struct flex flexible = { 3, { 10, 20, 30 } };
const char *const words[] = { "zero", [2] = "two", "three" };
struct empty {};
struct with_empty { struct empty e; int x; } we = { {}, 5 };
int *inside = &sparse[5];
char *tail = joined + 3;
long difference = (char *)&sparse[3] - (char *)&sparse[1];
struct link { struct link *next; int v; } first, second = { &first, 2 }, first = { &second, 1 };
int overridden[3] = { 1, 2, 3, [0] = 9, [1] = 8 };
double folded[] = { 1 / 3.0, 2 * 3, 'a', -0.0, 1e308 * 10 };
_Bool flags[] = { 5, 0, 0.1, (_Bool)"x" };

int main(void) {
    int local[4] = { [3] = 1 }, count = sizeof sparse / sizeof *sparse;
    for (int i = 0; i < count; i++) printf("%d ", sparse[i]);
    printf("\n%d %d %d %c %g %s\n", flat.a, flat.b[0], flat.b[2], flat.in.c, flat.in.d, flat.name);
    printf("%d %d %g %s\n", named.a, named.b[1], named.in.d, named.name);
    printf("%zu %d %c %d\n", sizeof many / sizeof *many, many[1].b[2], many[0].in.c, many[2].a);
    printf("%.3s %s %zu %s %s %zu\n", exact, padded, sizeof padded, joined, joined + 5, sizeof braced);
    printf("%d %d %d %d %zu\n", bytes[0], bytes[1], bytes[2], bytes[3], sizeof bytes);
    printf("%d %d %d %d\n", matrix[1][0], matrix[1][2], cube[0][1][1], cube[1][1][0]);
    printf("%d %d\n", flexible.n, flexible.items[2]);
    printf("%s %s %d\n", words[2], words[3], words[1] == 0);
    printf("%d %d %s %ld %d\n", we.x, *inside, tail, difference, second.next->next->v);
    printf("%d %d %d\n", overridden[0], overridden[1], overridden[2]);
    for (unsigned i = 0; i < sizeof folded / sizeof *folded; i++) printf("%g ", folded[i]);
    printf("%d %d %d %d %d\n", flags[0], flags[1], flags[2], flags[3], local[3] + local[0]);
    struct s copy = named, *p = &copy, array[2] = { copy, flat };
    p->b[0]++;
    printf("%d %d %d\n", copy.b[0], array[0].b[0], array[1].b[0]);
    int i = 3;
    int run[3] = { i++, i * 2, [2] = i };
    printf("%d %d %d\n", run[0], run[1], run[2]);
    char text[] = { 'h', 'i', 0 };
    printf("%s %zu\n", text, sizeof text);
    return 0;
}
