//@ check
//@ verdict true
/* The twin: there are elements behind either pointer. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[9] = {0}, b[9] = {0}, *p = __VERIFIER_nondet_int() ? a : b;
    return p[7];
}
