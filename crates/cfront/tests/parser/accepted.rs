//! Texts that gcc accepts and that parsers stumble over.

use crate::messages;

/// Each line is a text of its own.
const ACCEPTED: &str = r#"
int (*(*x)(void))(void);
typedef int foo; void g(void) { foo foo(void); } foo y;
typedef int T; T f(T), g(T (*)(T), T (T), T[3], T (*)[3]);
void f(int (*)(int), int (int), int (*)(), char [const], char *const restrict);
struct { int : 3; int a; } x = { 1 };
typeof(int (*)(int)) p; typeof(*p) q; __typeof__(sizeof(int)) r;
enum { A } __attribute__((packed)) e; typedef enum b { B } __attribute__((packed)) b_t;
char x[] = ("abc"), y[] = { ("abc") }; int i = (int) { 3 }, j = (3);
static __attribute__((always_inline)) inline int f() { return 0; }
int __attribute__((noinline)) f(void) { return 0; } void __attribute__((noreturn)) *g(void);
typedef struct s { int a; } s_t __attribute__((aligned(8))), *p_t;
typedef void (*fn_t)(int) __attribute__((noreturn)); int (*f)(void) __attribute__((weak)), g;
extern char *strchr(const char *, int) __attribute__((__nothrow__ , __leaf__)) __attribute__((__pure__));
int f(g, x) int (*g)(); int x; { return g(x); } h(p) struct s *p; { } k(x) register x; { } void l(a) { }
int f(void), g(int), *h(char), (*k)(void), (m)(int), n[2], *o[2], (*q)[2];
const int *const *volatile p; int volatile x; int const y; int inline f(); long int static z; int typedef w;
static const struct { int a; } x[] = { { 1 }, { 2 }, }; struct t { struct t *p; enum { E1 } e; } u;
typedef int (*pf)(int), arr[3]; int a = 1, f(void); void g(struct s { int a; } x, enum e { E } y) { int z = E; }
struct a { int x; struct { int y; union { int z; }; }; int : 0; int w : 1 + 2; }; union { struct a b; } c;
int x = sizeof(struct { int a; }), y = sizeof(enum e { A }), z = A; enum f { B = sizeof(int), C = B + 1 };
int a[] = { [0] = 1, 2 }, b[2][2] = { [0][1] = 3, [1] = { [0] = 4 } }; struct { int a[2]; } c = { .a[0] = 1, .a = { 2 } };
struct s { int a; } *f(struct s *p) { return p; } struct s g(void) { return (struct s){ .a = 1 }; }
int c = '\'', d = '"'; char *s = "'\"", *t = "/*", *u = "//"; /**/ int e; /***/ int f; /*/ */ int g; // int h
int x = 1 - -1 + +1 - - -1, y = 1.f + 1.e5 + .5e-1f + 0x1.p3 + 0x.1p-2L, z = 0'1 + 0XAul + 0B1;
int f(int a, int b) { return a+++b + a---b + a- -b + (a<<=1) + (a>>=b) + a/b; }
int f(int n, int (*p)[n], int q[][n], int r[n][n]) { return sizeof *p + sizeof(int[n][n]) + p[0][1]; }
int f(int x) { switch (x) { int y; case 1: y = 1; case 2: { } break; default: return y; } return 0; }
void f(int x) { if (0) { l: ; } else m: if (x) goto l; else goto m; { n: } goto n; }
void f(void) { extern int g(int); static int h; register int i; auto int j; typedef int k; k l; (void) l; }
void f(void) { void *p = &&l; goto *p; goto *&*p; l: { __label__ m; goto m; m: ; } }
void f(void) { struct s { int a; } x; x.a = 1; { struct s { int b; } x; x.b = 2; } struct s *p = &x; p->a++; }
void f(void) { int g(int x) { return x; } int (*p)(int) = g; p(1); auto int h(void); int h(void) { return 1; } }
void f(void); void g(void) { f(), f(); (f)(), (*f)(), (**f)(), (&f)[0](); }
_Noreturn static void f(void); inline extern int g(void); _Thread_local extern int h; extern _Thread_local int i;
int x[sizeof(int) == 4 ? 1 : -1]; _Static_assert(sizeof x == 4 && 1 ? 1 : 0, "x"); void f(void) { _Static_assert(1); }
__extension__ typedef struct { long long int quot; } lldiv_t; __extension__ extern int f(void); __extension__ int g(void) { return __extension__ 1; }
void f(void) { __extension__ int x = 1; __extension__ x++; __extension__ ({ x; }); }
void f(int x, ...) { __builtin_va_list ap; __builtin_va_start(ap, x); int y = __builtin_va_arg(ap, int); __builtin_va_end(ap); }
int f(double x) { return _Generic(x, float: 1, double: 2, int *: 3, int (*)(int): 4, struct { int a; } *: 5, default: 6) + _Generic(1, int: f)(x); }
typedef int v4 __attribute__((vector_size(16))); v4 f(v4 a, v4 b) { return (v4){ 1, 2, 3, 4 } + a[0] * b; }
void f(void) { asm("" : : "r" ((int)1), [a] "r" (({ 1; })) : "rax", "memory"); asm volatile ("" ::: ); asm("%=" : ); }
int x __asm__("y"); extern int f(void) __asm__("" "g") __attribute__((weak)); register long sp asm("rsp");
;;; int x;; struct s { int a;;; };;
int f(void) { for (int i = 0, *p = &i; i < 2; ++i) { } for (struct { int a; } s = { 0 }; s.a < 1; s.a++) ; for (;;) { break; } return 0; }
int a = 1 ? 2 : 3 ? 4 : 5, b = 1 ?: 2 ?: 3, c = (1, 2), d = !1 == 0 != 1 & 2 && 3 | 4;
int f(int x) { x = x ? x = 1, 2 : 3; x = (x, x); x += x -= x *= 2; return x, x; }
typedef int T; int f(void) { int x = (T) 1 + (T) - 1 + (T) * &x + (T) ~1 + (T) !1 + (T) (1) + (T) sizeof(T) - (T) 'a'; return (T) { x }; }
typedef int T; int f(T *p) { return sizeof(T) * 2 + sizeof (T) - 1 + sizeof *p + sizeof (p)[0] + sizeof p->x; }
typedef char T; void f(void) { T T = 1; { T = 2; sizeof(T); } } T g; void h(int T, int x) { x = T * T; } void i(void) { T: goto T; T x; }
typedef int T; struct T { T T; } T2; enum U { T3 }; union T4 { struct T T; }; T x; void f(T *T) { *T = 1; } T y;
typedef int T; void f(void) { for (T T = 1; T; T--) ; T x; if (1) { char T; T++; } T y; (void) sizeof(T); }
typedef int T; int f(T a, T(b), T(*c), T(d)(T)) { return a + b + *c + d(1); }
_Atomic int a; _Atomic(int *) b; int *_Atomic c; const _Atomic(int) d; _Atomic unsigned long e; void f(_Atomic int *p);
_Alignas(8) int a; struct { _Alignas(int) char b; char _Alignas(4) c; }; int _Alignas(16) static d;
[[deprecated]] int a; [[]] int b; int c [[gnu::aligned(8)]]; struct [[gnu::packed]] s { int d [[deprecated]]; }; [[noreturn]] void f([[maybe_unused]] int x);
void f(int x) { switch (x) { case 1: x++; [[fallthrough]]; case 2: __attribute__((fallthrough)); default: ; } }
enum e : int { A }; enum g : unsigned long; bool b = true; int *p = nullptr; static_assert(alignof(int) == 4); thread_local int t; constexpr int k = 1; auto z = 1;
int f(void) { int x; { int y; } int z; y: x = 1; int w; return x + z + w; y2: ; int v; }
#pragma once
int x; _Pragma("omp parallel") int y; void f(void) { _Pragma("x") ; for (;;) _Pragma("y") break; }
int a<:2:> = <%1, 2%>; void f(void) <% a<:0:> = 1; %>
int \u00e9t\u00e9, été, $x, x$y, _, __, ñ; int f(void) { return été + $x; }
float f = 1.0f, g = 1e+10F; double d = 1.0d, e = 1e-5; long double l = 1.0L; _Float128 q = 1.0Q; _Float16 h = 1.0f16; double _Complex c = 1.0i + 2.0if + 3i;
int x = 'ab' + '\0' + '\x7f' + '\377' + L'\xffff' + u'\u00e9' + U'\U0001F600' + '\?' + '\e';
int f(int a; int b[a], int a) { return b[0]; }
int f(int [*], int [const *], int [static 3], int [restrict static 3], int [static const 3]);
struct s; struct s *p; union u; extern struct s t; enum e { A, B, } x; typedef struct s s; s *q;
int main(void) { return ({ int x = 1; while (x) { x = ({ break; 2; }); } x; }); }
"#;

#[test]
fn accepted() {
    for line in ACCEPTED.lines().filter(|line| !line.is_empty()) {
        let found = messages(line);
        assert!(!found.contains("error["), "{line}\n{found}");
    }
}
