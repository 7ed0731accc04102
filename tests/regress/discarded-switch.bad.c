//@ check
//@ verdict false(memory.null)
//@ check --property valid-memsafety
//@ verdict false(valid-deref)
/* What a `switch` without cases looks at is read all the same. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = 0;
    int *p = __VERIFIER_nondet_int() ? &x : 0;
    switch (*p) {
    default:
        break;
    }
    return 0;
}
