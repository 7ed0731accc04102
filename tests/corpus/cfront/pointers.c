// Pointer arithmetic, comparisons, conversions, const and volatile, null in all forms, multi-dimensional arrays.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list { int v; struct list *next; };
static struct list *push(struct list *l, int v) { struct list *n = malloc(sizeof *n); *n = (struct list){ v, l }; return n; }
static volatile int device;
int grid[3][4][5];
static void *null_of(int c) { return c ? &grid : NULL; }
static const char *find(const char *s, char c) { while (*s && *s != c) ++s; return *s ? s : 0; }

int main(void) {
    int a[5] = { 1, 2, 3, 4, 5 }, *p = a, *end = a + 5, *q = &a[3];
    printf("%td %d %d %d\n", end - p, *(p + 2), p[1], 2[a]);
    printf("%d %d %d\n", *p++, *++p, (*p)++);
    printf("%d %d %d\n", p < q, p == &a[2], q != 0);
    p += 2; p -= 1; p = p + (q - p); printf("%d\n", *p);
    printf("%td\n", (char *)q - (char *)a);
    grid[1][2][3] = 7; int (*plane)[5] = grid[1]; int *flat = &grid[0][0][0];
    printf("%d %d %zu %zu\n", plane[2][3], flat[1 * 20 + 2 * 5 + 3], sizeof grid[0], sizeof *plane);
    struct list *l = 0; for (int i = 0; i < 4; i++) l = push(l, i * i);
    int t = 0; for (struct list *n = l; n; n = n->next) t = t * 10 + n->v; printf("%d\n", t);
    while (l) { struct list *n = l->next; free(l); l = n; }
    device = 5; device |= 2; int seen = device + device; printf("%d\n", seen);
    printf("%d %d\n", null_of(0) == 0, null_of(1) != NULL);
    printf("%s %d\n", find("a=b", '='), find("abc", '=') == NULL);
    uintptr_t u = (uintptr_t)a; int *back = (int *)(u + sizeof(int)); printf("%d\n", *back);
    void *v = a; int *w = v; const int *c = w; printf("%d %d\n", *c, ((int *)v)[4]);
    char buffer[8]; memcpy(buffer, &(int){ 0x01020304 }, 4); printf("%d\n", *(unsigned char *)buffer == 4 || buffer[0] == 1);
    int **pp = &q; **pp = 40; *pp = a; printf("%d %d\n", a[3], **pp);
    printf("%d\n", (q ? q : p) == a); printf("%d\n", *(1 ? (const int *)a : 0) + *(0 ? 0 : p));
    struct { int n; int data[3]; } s = { 3, { 7, 8, 9 } }, *ps = &s; int *d = ps->data; printf("%d %d\n", d[ps->n - 1], *(&ps->n + 1));
    void **slot = &v; *slot = 0; printf("%d %d\n", !v, v ? 1 : 2);
    unsigned char idx = 2; printf("%d %d\n", a[idx], *(a + idx)); idx = 255; printf("%d\n", (a + 256)[(signed char)0 - idx - 1 + 1]);
    return 0;
}
