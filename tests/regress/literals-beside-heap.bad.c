//@ check --property unreach-call
//@ verdict false(unreach-call)
//@ check --property unreach-call --engine shapes
//@ verdict unknown
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void)
{
    char *p = malloc(8);
    uintptr_t before = (uintptr_t)p;
    p = realloc(p, 16);
    int moved = before != (uintptr_t)p;
    free(p);
    if (moved && "abc" == "abc")
        reach_error();
    return 0;
}
