//@ check --property reach.error
//@ verdict true
/* The twin: no other file can name the variable, and nobody gives its address away. */
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
static int g;
int main(void)
{
    int *p = (int *)__VERIFIER_nondet_ulong();
    g = 0;
    *p = 1;
    if (g)
        reach_error();
    return 0;
}
