// Transparent unions, modes, half floats, types declared in odd places, unusual identifiers, casts to unions.
#include <stdio.h>
#include <string.h>

typedef union { int *i; float *f; } either __attribute__((transparent_union));
static int which(either e) { return e.i != 0; }
typedef int quarter __attribute__((mode(QI))); typedef unsigned int wide __attribute__((mode(DI)));
union number { int i; double d; };
static double get(union number n, int is_int) { return is_int ? n.i : n.d; }
static int in_params(struct local_to_prototype *p, int (*f)(struct another *)) { return p == 0 && f == 0; }
static unsigned long sizes(void) { return sizeof(struct { char c; short s; }) + sizeof(union u2 { long l; }) + sizeof(union u2); }
struct only_bits { int : 5; unsigned x : 2; int : 0; }; struct { int x; } unnamed_a, unnamed_b;
int $dollar = 3, _under = 4, été = 5;
struct rec { struct rec *self; struct { struct rec *other; } in; union { struct rec *up; long n; }; };
static struct node { int v; struct node *n; } chain[2] = { { 1, chain + 1 }, { 2, chain } };
typedef struct opaque opaque; static opaque *hidden_pointer; typedef void fn(opaque *, int); static fn *callback; static fn implemented;
static void implemented(opaque *o, int n) { printf("called %d %d\n", o == 0, n); }
typedef char row[3]; typedef row grid[2]; static grid g = { "abc", { 'd' } }; static row *first_row(void) { return g; }
struct big { char c[100]; }; static struct big filled(char c) { struct big b; memset(&b, c, sizeof b); return b; }

int main(void) {
    int i = 1; float f = 1; printf("%d %d %d\n", which(&i), which(&f), which((either){ 0 }));
    quarter q = 200; wide w = 1ull << 40; printf("%d %llu %zu\n", q, (unsigned long long)w, sizeof(wide));
    printf("%g %g\n", get((union number)5, 1), get((union number)2.5, 0)); printf("%d %lu\n", in_params(0, 0), sizes());
    struct only_bits b = { 3 }; b.x++; printf("%d %zu\n", b.x, sizeof b); unnamed_a.x = 1; unnamed_b.x = unnamed_a.x + 1; printf("%d\n", unnamed_b.x);
    printf("%d\n", $dollar + _under + été); struct rec r = { &r, { &r }, { .up = &r } }; printf("%d %d\n", r.self == r.in.other, r.up == &r);
    printf("%d %d\n", chain[0].n->v, chain[1].n->n->v); callback = implemented; callback(hidden_pointer, 4); (*callback)(0, 5);
    printf("%c %d %c %zu\n", (*first_row())[1], g[1][1], first_row()[1][0], sizeof g); printf("%c\n", filled('q').c[99]);
    _Float16 h = 1.5f16; h += 0.25f16; _Float32 f32 = 0.1f32; _Float64 f64 = f32; printf("%g %d %d\n", (double)h, f32 == 0.1f, f64 == (double)0.1f);
    for (struct { int a, b; } s = { 0, 3 }; s.a < s.b; s.a++) printf("%d", s.a); printf("\n");
    typeof(struct in_typeof { int z; }) z = { 8 }; struct in_typeof z2 = z; printf("%d\n", z2.z); { struct rec; struct rec { int other; } x = { 3 }; printf("%d\n", x.other); }
    long l = (long)&((struct big *)0)->c[5]; printf("%ld %d\n", l, (int)(unsigned char)-1);
    return 0;
}
