// _Generic, typeof, __auto_type, _Static_assert, attributes in many places, _Atomic, inline, thread-local.
#include <stdio.h>
#include <stdatomic.h>

#define NAME(x) _Generic((x), int: "int", unsigned: "unsigned", char *: "string", const char *: "const string", \
    double: "double", float: "float", default: "other", struct t *: "t")
struct t { int v; };
_Static_assert(sizeof(int) == 4, "int");
_Static_assert(sizeof(struct t) == sizeof(int));
static inline __attribute__((always_inline)) int square(int x) { return x * x; }
static __thread int per_thread = 3;
_Thread_local int per_thread2;
__attribute__((noinline, unused)) static int attributed(int x __attribute__((unused))) { return __extension__ 5; }
typedef int (*handler)(int) __attribute__((unused));
static void cleanup(int *p) { printf("cleanup %d\n", *p); }
__attribute__((constructor)) static void before(void) { printf("before\n"); }
__attribute__((destructor)) static void after(void) { printf("after\n"); fflush(stdout); }
_Atomic int atomic_count; _Atomic(long) shared_long = 5;
int target(int x) { return x + 1; }
int aliased(int x) __attribute__((alias("target")));
extern int weak_missing(void) __attribute__((weak));
int renamed(int) __asm__("target");

int main(void) {
    struct t t = { 1 }; char c = 'c'; const char *cs = "";
    printf("%s %s %s %s %s %s %s\n", NAME(1), NAME(1u), NAME(cs), NAME("x"), NAME(1.0), NAME(&t), NAME(c));
    __auto_type a = 3.5; typeof(a) b = a * 2; typeof(int[3]) arr = { 1, 2, 3 }; __typeof__(arr[0]) *p = arr;
    printf("%g %d %zu\n", b, p[2], sizeof arr);
    printf("%d %d %d\n", square(7), ++per_thread, per_thread2++ + per_thread2);
    { __attribute__((cleanup(cleanup))) int guarded = 8; guarded++; }
    atomic_count += 3; atomic_count++; shared_long -= 2; printf("%d %ld\n", atomic_count, (long)shared_long);
    printf("%d\n", atomic_fetch_add(&atomic_count, 10) + atomic_load(&atomic_count));
    printf("%d %d %d\n", aliased(1), renamed(2), weak_missing ? weak_missing() : -1);
    for (register int i = 0, *q = arr; i < 2; i++, q++) printf("%d", *q + i);
    printf("\n%d\n", attributed(1)); _Bool t1 = 2; int n = c ?: 9; printf("%d %d %d\n", t1, n, 0 ?: n + 1);
    handler h = target; printf("%d\n", h(1)); int _Alignas(16) z = 3; printf("%d\n", z);
    return 0;
}
