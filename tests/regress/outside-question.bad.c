//@ check
//@ verdict false(reach.error)
/* A pointer from outside may point to a variable of the program: to assume that it points to memory excludes nothing. */
extern void reach_error(void);
extern int *p;
int g;
int main(void)
{
    __CPROVER_assume(__CPROVER_w_ok(p, sizeof *p));
    reach_error();
    return 0;
}
