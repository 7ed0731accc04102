//@ test dump --at ast
typedef int (*compare_t)(const void *, const void *);
compare_t table[3], *pointer;
int (*(*f(int n, char *v[static n]))(void))[4];
struct list { struct list *next; union { int i; float f; }; unsigned flag : 1, : 0; } *head;
enum { RED, GREEN = 5, BLUE } colour;
static inline __attribute__((unused)) int old(a, b) int a; char *b; { return a; }
_Static_assert(sizeof(int) == 4, "int");
