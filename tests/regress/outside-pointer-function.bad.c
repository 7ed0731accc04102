//@ check --property reach.error
//@ verdict false(reach.error)
/* A pointer from outside may point to a variable that other files can name. */
extern void reach_error(void);
extern void *__VERIFIER_nondet_pointer(void);
int g;
int main(void)
{
    int *p = __VERIFIER_nondet_pointer();
    g = 0;
    *p = 1;
    if (g)
        reach_error();
    return 0;
}
