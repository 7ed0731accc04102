//@ check
//@ verdict false(call.nonnull)
//@ check --property call.nonnull
//@ verdict false(call.nonnull)
//@ check --property valid-memsafety
//@ verdict true
// A null pointer is no block, not even one of no bytes (C17 7.24.1p2); nothing is accessed through it.
extern void *memcpy(void *, const void *, unsigned long);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    char block[4] = "abc", *to = 0;
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 4)
        return 0;
    char copy[4];
    if (n > 0)
        to = copy;
    memcpy(to, block, n);
    return 0;
}
