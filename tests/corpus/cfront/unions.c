// Unions, anonymous members, type punning, nested and designated initialisers.
#include <stdio.h>
#include <stddef.h>

union word { unsigned u; float f; unsigned char b[4]; struct { unsigned short lo, hi; } h; };
struct node {
    int kind;
    union { int i; double d; struct { short x, y; }; const char *s; };
    struct { int depth; } named;
    union { struct { int p; union { int q; char r[4]; }; }; long whole; };
};

union word w1 = { .f = 1.0f };
struct node n1 = { 1, { .d = 2.5 }, { 7 }, .p = 3, .q = 0x01020304 };
struct node n2 = { .x = 4, .y = -4, .kind = 2, .named.depth = 9, .r = { 1, 2, 3, 4 } };
struct node n3 = { 3, .s = "text", .named = { .depth = 1 } };

int main(void) {
    printf("%08x %04x %04x %d\n", w1.u, w1.h.lo, w1.h.hi, w1.b[3]);
    printf("%d %g %d %d %x\n", n1.kind, n1.d, n1.named.depth, n1.p, n1.q);
    printf("%d %d %d %d %x\n", n2.kind, n2.x, n2.y, n2.named.depth, n2.q);
    printf("%s %d\n", n3.s, n3.named.depth);
    struct node *p = &n2;
    p->r[1] = 'a';
    p->x += p->y * 2;
    printf("%x %d %zu %zu\n", p->q, p->x, offsetof(struct node, q), sizeof(struct node));
    union word copy = w1;
    copy.u ^= 0x80000000u;
    printf("%g\n", copy.f);
    copy = (union word){ .h = { 1, 2 } };
    printf("%x\n", copy.u);
    struct { struct { int a; } in; int b; } t = { .in.a = 1, .b = 2 }, u = t;
    u.in.a += t.b;
    printf("%d\n", u.in.a);
    return 0;
}
