// Alignment, packing, explicit alignment, pragma pack, aligned typedefs, flexible and zero-length arrays, offsetof.
#include <stddef.h>
#include <stdio.h>
#include <stdalign.h>

struct __attribute__((packed)) packed { char c; int i; short s; double d; };
struct member_packed { char c; int i __attribute__((packed)); long l; };
struct aligned { char c; int i __attribute__((aligned(16))); } __attribute__((aligned(64)));
struct alignas_member { char c; alignas(32) char d; alignas(double) char e; };
typedef int loose __attribute__((aligned(1)));
typedef int strict __attribute__((aligned(32)));
struct typedefs { char c; loose l; strict s; char d; };
#pragma pack(push, 2)
struct pragma { char c; int i; double d; struct { char x; long long y; } in; };
#pragma pack(pop)
#pragma pack(1)
struct pragma1 { char c; int i; unsigned b : 3, e : 30; };
#pragma pack()
struct flexible { char c; short data[]; };
struct zero { int n; char none[0]; long l; };
union u { char c[5]; int i; } ;
struct nested { char a; struct { char b; long long c; } in; union u u; struct packed p; };
struct packed_bits { unsigned a : 5; unsigned long long b : 50; char c; } __attribute__((packed));
struct wide { char c; long double l; _Complex double z; __int128 i; };
struct empty {};
static char buffer[3] __attribute__((aligned(128)));
alignas(64) static int over;
struct self { struct self *next; struct other *o; }; struct other { struct self s; };

#define O(t, m) printf(#t "." #m " %zu\n", offsetof(struct t, m))
#define S(t) printf(#t " %zu %zu\n", sizeof(struct t), _Alignof(struct t))
int main(void) {
    S(packed); O(packed, i); O(packed, s); O(packed, d);
    S(member_packed); O(member_packed, i); O(member_packed, l);
    S(aligned); O(aligned, i); S(alignas_member); O(alignas_member, d); O(alignas_member, e);
    S(typedefs); O(typedefs, l); O(typedefs, s); O(typedefs, d);
    S(pragma); O(pragma, i); O(pragma, d); O(pragma, in.y); S(pragma1); O(pragma1, i);
    S(flexible); O(flexible, data); S(zero); O(zero, l); S(nested); O(nested, in.c); O(nested, u); O(nested, p.d);
    S(packed_bits); S(wide); O(wide, l); O(wide, z); O(wide, i); S(empty); S(other);
    struct packed p = { 'a', 1, 2, 3.5 }; int *unaligned = &p.i; struct typedefs t = { 1, 2, 3, 4 };
    printf("%d %g %d %d\n", p.i, p.d, t.l, t.s);
    printf("%d %d\n", (int)((size_t)buffer % 128), (int)((size_t)&over % 64));
    alignas(256) char local[5]; strict also = 3; printf("%d %d\n", (int)((size_t)local % 256), (int)((size_t)&also % 32));
    struct pragma1 q = { 1, 2, 3, 4 }; q.e += q.b; printf("%d %d\n", q.e, q.i);
    loose *lp = (loose *)((char *)&p + 1); printf("%d\n", *lp + (unaligned != 0));
    return 0;
}
