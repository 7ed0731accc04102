//@ check
//@ verdict true
/* The twin: where it is not, the type is not evaluated. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    return n > 0 && n < 8 && sizeof(int[n]) == 4;
}
