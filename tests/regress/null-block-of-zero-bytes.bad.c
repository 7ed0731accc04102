//@ check
//@ verdict false(call.nonnull)
//@ check --property call.nonnull
//@ verdict false(call.nonnull)
// A constant size of zero does not make null a block: the call was dropped with its claim.
extern void *memmove(void *, const void *, unsigned long);
int main(void)
{
    int *p = 0;
    memmove(p, p + 0, sizeof(int) * 0);
    return 0;
}
