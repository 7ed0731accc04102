//@ check
//@ verdict true
#include <assert.h>
union u { int i; char c; };
struct s { int n; union u u; };
static union u always = { .c = 1 };
int main(void) {
    union u x = { .c = 1 };
    union u y = { .i = 258 };
    struct s rest = { 1 };
    assert(x.c == 1 && y.i == 258);
    assert(rest.u.i == 0);
    assert(always.i == 1);
    return 0;
}
