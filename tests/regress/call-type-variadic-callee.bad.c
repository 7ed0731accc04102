//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --data-model ILP32
//@ verdict false(unreach-call)
//@ check
//@ verdict false(call.type)
#include <stdarg.h>
extern void reach_error(void);
int f(int n, ...) { va_list l; va_start(l, n); int x = va_arg(l, int); va_end(l); if (x == 7) reach_error(); return 0; }
int main(void) { return ((int (*)(int, int))f)(1, 7); }
