//@ check
//@ verdict true
/* The twin: the answer is known of objects of the program. */
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
int main(void)
{
    int x = 0, *p = malloc(sizeof *p);
    if (!__CPROVER_w_ok(p, sizeof *p) || !__CPROVER_w_ok(&x, sizeof x) || __CPROVER_r_ok((int *)0, 1))
        reach_error();
    free(p);
    return 0;
}
