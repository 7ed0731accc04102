//@ check --property memory.null
//@ verdict false(memory.null)
//@ check
//@ verdict false(memory.null)
/* An element behind a null pointer is reached through the null pointer. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[9] = {0}, *p = __VERIFIER_nondet_int() ? a : 0;
    return p[7];
}
