//@ check
//@ verdict true
/* The twin: there is always something to look at. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = 0, y = 1;
    int *p = __VERIFIER_nondet_int() ? &x : &y;
    switch (*p) {
    default:
        break;
    }
    return 0;
}
