//@ check
//@ verdict true
/* The twin: the pointer is there, and what it points to is not read. */
struct pair { int first, second; };
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    struct pair *p = 0, *q = 0, **pp = __VERIFIER_nondet_int() ? &p : &q;
    struct pair pair;
    p = q = &pair;
    &(*pp)->second;
    return 0;
}
