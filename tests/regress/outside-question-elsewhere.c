//@ check --function f
//@ verdict unknown
/* It may also point to memory that the program does not make, of which no question can be answered. */
extern void reach_error(void);
int f(int *p)
{
    __CPROVER_assume(__CPROVER_w_ok(p, sizeof *p));
    reach_error();
    return 0;
}
