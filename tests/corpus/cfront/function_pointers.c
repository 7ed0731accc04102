// Declarators: pointers to functions and arrays in every nesting.
#include <stdio.h>
#include <stdlib.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
typedef int (*binary)(int, int);
binary table[] = { add, sub, &add };
static binary choose(int which) { return table[which]; }
static int (*direct(char c))(int, int) { return c == '+' ? add : sub; }
int (*(*nested)(char))(int, int) = direct;
int (*array_of_pointers[2])(int, int) = { sub, add };
int numbers[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
int (*rows)[3] = numbers;
int *(*pointer_to_array)[2];
static int (*row(int i))[3] { return &numbers[i]; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int call(int f(int, int), int x) { return f(x, 1) + (*f)(x, 2) + (***f)(x, 3); }
struct ops { int (*op)(int, int); struct ops *(*next)(struct ops *); int (*const fixed)(int, int); };
static struct ops *self(struct ops *o) { return o; }
static void nothing(void) {}
typedef void procedure(void);
static procedure *get(void) { return nothing; }
static int unprototyped();
static int unprototyped(a, b) int a; int b; { return a * 10 + b; }
int (*old)() = unprototyped;
const char *const *volatile cv;

int main(void) {
    printf("%d %d %d\n", choose(0)(5, 3), direct('-')(5, 3), (*nested('+'))(5, 3));
    printf("%d %d %d\n", array_of_pointers[0](9, 4), rows[1][2], (*row(0))[1]);
    int *pa[2] = { numbers[0], numbers[1] };
    pointer_to_array = &pa;
    printf("%d\n", (*pointer_to_array)[1][2]);
    int v[] = { 3, 1, 2 };
    qsort(v, 3, sizeof *v, compare);
    printf("%d %d %d %d\n", v[0], v[1], v[2], call(sub, 10));
    struct ops o = { add, self, sub };
    printf("%d %d\n", o.next(&o)->op(1, 2), (&o)->fixed(1, 2));
    get()(); (*get())();
    printf("%d %d\n", old(4, 2), sizeof(binary) == sizeof(void *));
    int (*volatile f)(int, int) = 0;
    printf("%d %d\n", f == 0, f == add);
    f = table[2];
    printf("%d %d\n", f && f != sub, !f);
    void *erased = (void *)add;
    printf("%d\n", ((int (*)(int, int))erased)(20, 22));
    return 0;
}
