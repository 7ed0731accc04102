// Structures by value: arguments, results, assignment, arrays inside, comparison of members, recursion.
#include <stdio.h>

struct small { char c; }; struct big { int a[20]; }; struct mixed { float f; double d; int i; };
struct big_nest { struct small s[3]; struct { struct mixed m; struct big b; } in; };
static struct small one(int i) { struct small s = { i }; return s; }
static struct big fill(int start) { struct big b; for (int i = 0; i < 20; i++) b.a[i] = start + i; return b; }
static int total(struct big b, struct small s, struct mixed m) { int t = s.c + (int)m.d; for (int i = 0; i < 20; i++) t += b.a[i]; b.a[0] = 0; return t; }
static struct mixed chain(struct mixed m, int n) { if (!n) return m; m.i += n; m.d *= 2; return chain(m, n - 1); }
struct tree { struct tree *l, *r; int v; };
static int depth(const struct tree *t) { if (!t) return 0; int l = depth(t->l), r = depth(t->r); return 1 + (l > r ? l : r); }
typedef struct { int x; } anonymous; typedef struct { long x; } anonymous2;
static anonymous conv(anonymous2 a) { return (anonymous){ (int)a.x }; }
struct incomplete; static struct incomplete *opaque; struct incomplete { int late; };

int main(void) {
    struct big b = fill(5), c = b; c.a[3] = 100;
    printf("%d %d %d %d\n", total(b, one(7), (struct mixed){ 1, 2.5, 3 }), b.a[3], c.a[3], fill(9).a[2]);
    struct mixed m = chain((struct mixed){ .d = 1 }, 5); printf("%d %g\n", m.i, m.d);
    struct big_nest n = { { { 'a' }, { 'b' } }, { { 1.5f }, b } }, *p = &n, copy;
    copy = *p; copy.in.b.a[0] += 10; p->in.m = m; printf("%c %d %d %d\n", n.s[1].c, n.in.b.a[0], copy.in.b.a[0], (*p).in.m.i);
    struct tree leaf = { 0, 0, 1 }, mid = { &leaf, 0, 2 }, root = { &mid, &leaf, 3 }; printf("%d\n", depth(&root));
    printf("%d\n", conv((anonymous2){ 77 }).x); struct incomplete inc = { 4 }; opaque = &inc; printf("%d\n", opaque->late);
    struct small array[4]; array[1] = array[0] = one('z'); printf("%c %zu\n", array[1].c, sizeof array);
    struct big *pb = &c, d; d = *pb; *pb = b; printf("%d %d\n", d.a[3], c.a[3]); b = c = d; printf("%d\n", b.a[3]);
    printf("%d\n", (b.a[0] > 3 ? b : c).a[3]); (p->s[2] = one(9)).c; printf("%d\n", (one(1), one(2)).c);
    return 0;
}
