//@ test dump --at layout
//@ test dump --at layout --data-model ILP32
struct plain { char c; long l; short s; double d; char tail; };
struct __attribute__((packed)) packed { char c; long l; short s; };
struct fields { unsigned a : 3, b : 7; long long c : 40; char d; int : 0; unsigned e : 1; };
union mixed { char c[5]; int i; void *p; };
struct nested { struct plain p[2]; union { int i; char c; }; long double ld; };
struct aligned { char c; } __attribute__((aligned(32)));
struct flexible { int n; char data[]; };
struct empty {};
int uses(struct plain *, struct packed *, struct fields *, union mixed *, struct nested *,
         struct aligned *, struct flexible *, struct empty *);
