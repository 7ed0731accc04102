//@ check
//@ verdict true
/* The twin: it is there. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    _Complex double z = 1.0, y = 2.0, *p = __VERIFIER_nondet_int() ? &z : &y;
    (void)~*p;
    return 0;
}
