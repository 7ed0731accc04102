typedef int T; typedef unsigned long size_t; typedef char *string;

__extension__ typedef long long ll;

int a, *b, c[3], (*fp)(int, char), *(*fpa[2])(void), f(void), (g)(T), ((h));

T (x1); T *x2, x3[2];

static const volatile unsigned long long int *const restrict_p = 0;

long unsigned int signed_order; int long unsigned long ooo; double long ld; _Complex float cf; float _Complex cf2; _Complex cd; long double _Complex lcd; _Complex int ci;

__int128 i128; unsigned __int128 u128; _Float128 f128; _Float16 f16; __float128 ff; _Bool bb; __signed__ char sc; __int128_t i1; __uint128_t u1; __builtin_va_list va;

struct S { int a:3, :0, b:5 __attribute__((packed)); const int c; struct { int x, y; }; union { int u; float v; } __attribute__((packed)) w; int flex[]; } __attribute__((aligned(16)));

struct Empty {}; union EU {}; struct { T T; } tt; struct tag; enum E { A, B = 3, C __attribute__((deprecated)) = 4, }; enum E2 : unsigned char { X1, X2 };

struct bf { enum E e : 3; T t : 2; unsigned : 4; int : 0; };

_Static_assert(sizeof(int) == 4, "int"); _Static_assert(1); static_assert(1, "x" "y");

int arr[] = { [0] = 1, [2 ... 5] = 7, 9, [10] 3 }; struct S2 { int a, b[3]; struct { int q; } r; } s2 = { .a = 1, .b[1] = 2, .b = { 1, 2 }, .r.q = 4, a: 3, .r = {}, };

int main(void); int kr(a, b, c) int a; char *b; T c; { return a; } implicit(x) { return x; } static simp = 3; noret() {}

int vla(int n, int m[static const 3], int k[*], int z[restrict n], int w[const], int q[n][m[0]], ...) { int v[n], (*p)[n] = &v; typeof(v) u; __auto_type zz = 1; typeof(int *) pp = 0; return sizeof(v) + sizeof v[0] + sizeof(int[n]); }

void attrs(int x __attribute__((unused)), __attribute__((nonnull)) char *p, int (*cb)(int) __attribute__((noreturn))) __attribute__((noinline, cold)), attr2(void) __asm__("other") __attribute__((weak));

__attribute__((noreturn)) void die(void); void __attribute__((format(printf, 1, 2))) pr(const char *, ...); int __attribute__((vector_size(16))) vec; typedef int v4si __attribute__((vector_size(16))); int *__attribute__((aligned(8))) ap;

extern int al __attribute__((alias("a"))), __attribute__((unused)) second; [[nodiscard]] int nd(void); [[gnu::packed, deprecated("x"), clang::foo(1 2 3)]] int zzz; int yy [[maybe_unused]] = 3; typedef int di __attribute__((mode(DI)));

_Alignas(16) char buf[4]; _Alignas(double) char buf2; alignas(8) int al8; _Atomic int ai; _Atomic(int) ai2; int *_Atomic aip; _Thread_local int tl; static __thread int tl2; thread_local int tl3; _Noreturn void nr(void); register_test() { register int r asm("eax") = 1; register r2; auto q = 3; return r; }

asm("nop"); __asm__(".globl x\n" ".text");

int body(int argc, char **argv) {
  __label__ l1, l2; int T = 3; T = 4; T * a; { typedef char q; q *p; q (z); sizeof(q); } 
  l1: __attribute__((unused)); l2: ; goto l1; void *tab[] = { &&l1, &&l2 }; goto *tab[argc];
  switch (argc) { case 1: case 2 ... 4: break; case 'a': { int z; } default: int k = 3; k++; last: }
  for (;;) break; for (int i = 0, j = 1; i < 3; i++, j--) continue; for (a = 0; ; ) { break; } while (a--) ; do a++; while (a < 3); if (a) if (b) a = 1; else a = 2; else if (c) ; else { }
  a = b ? c[0] : a; a = *b ?: 3; a = b ? 1, 2 : 3; a = a ? a ? 1 : 2 : a ? 3 : 4; a = a += a -= a <<= 3;
  a = ({ int z = 3; z + 1; }); (void)0; (int)a;
}

int expr(struct S2 *s, int (*f)(int)) {
  int x = (struct S2){ 1, { 2 } }.a + ((int[]){ 1, 2, 3 })[1] + s->b[2] - (*s).a * sizeof(struct S2) + sizeof (int){3} + _Alignof(int) + __alignof__ x + alignof(int);
  x = -+~!x + - -x + *&x + &*f - f(1) + (*f)(2) + (****f)(3) + __real__ 1.0i + __imag__ 2.0;
  x = _Generic(x, int: 1, const char *: 2, default: 3) + __builtin_va_arg(*(__builtin_va_list *)0, int) + __builtin_offsetof(struct S2, b[1]) + __builtin_offsetof(struct S2, r.q) + __builtin_types_compatible_p(int, typeof(x)) + __builtin_choose_expr(1, 2, 3);
  v4si v = __builtin_convertvector(v, v4si); x = __extension__ 3 + (__extension__ (int)3); x = x << 3 >> 2 & 4 | 5 ^ 6 && 7 || 8 == 9 != 10 <= 11 >= 12 < 13 > 14;
  x++; ++x; x--; --x; x += 1, x -= 2, x *= 3, x /= 4, x %= 5, x &= 6, x |= 7, x ^= 8, x <<= 1, x >>= 1;
  string q = "a" "b" "c"; q = __func__; x = 'a' + L'b' + u'c' + U'd' + u8'e' + '\e' + '\x41' + '\101' + '\u00e9'; x = 0x1F + 0b11 + 017 + 1'000 + 1u + 1ull + 1.5e3f + 0x1p-3 + .5 + 1. + 1e10L + 0x.8p1;
  asm volatile("mov %1, %0" : "=r"(x) : "r"(x), [name] "i"(3) : "memory", "cc"); asm goto("jmp %l0" : : : : lab); asm inline("nop" ::: "memory"); asm("" : "+m"(x)); asm volatile goto ("" :: "r"(x) :: lab); __asm__ __volatile__ ("" : : "a" (x) : );
  lab: return x; int nested(int y) { return y + x; } nested(3); auto int fwd(int); int $dollar = 3; int é = 4, \u00e8 = 5; 
  if (x) { [[fallthrough]]; } __attribute__((fallthrough)); bool b1 = true; b1 = false; void *np = nullptr; constexpr int ce = 3; int sp\
liced = 3; x = spliced; <% int di<:3:> = <%1%>; %> return (x);
}

#pragma pack(push, 1)

struct P { char a; int b; };

_Pragma("pack(pop)") struct Q { int a; };

# 33 "foo.h" 1 3

#line 44 "bar.h"

#ident "x"

int fwdparam(int n; int a[n], int n) { return n; }

void (*signal(int sig, void (*func)(int)))(int);

int (*(*foo(void))[3])(char); typedef int F(int); F ff1, *ff2; int (*const cp)(void) = 0; int (__attribute__((noreturn)) *np2)(int); void qsort(void *, size_t, size_t, int (*)(const void *, const void *));

typedef struct node { struct node *next; } node, *nodep; unsigned T2; typedef unsigned int T; void shadow(T T) { T = 3; } int proto(T (T)); typedef int bool; bool bx; typedef enum { false, true } BB; 

typeof(a) ta; __typeof__(int[3]) tb; typeof_unqual(const int) tc; _BitInt(7) bi; unsigned _BitInt(33) ubi; int unsigned const extern static_order; struct S const *volatile sp1; const struct { int x; } anon = {1}; const enum { E11 } ee; inline static int inl(void) { return 0; } extern inline __attribute__((gnu_inline)) int inl2(void) { return 0; }

struct fwd *fp3; union fwd2 { int x; struct fwd3 { int y; } z; } un; int (fparen)(int x) { return x; } int *(ptrf)(void) { return 0; } int (*retf(void))(int) { return 0; } void empty_stmt(void) { ;;;; } ; ;

__extension__ struct ex { __extension__ union { int a; }; __extension__ int b; _Static_assert(1, ""); ; };
