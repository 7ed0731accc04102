//@ check
//@ verdict true
// No bytes are copied, set, compared and looked for at the end of a block, and null is a place for no characters where the library says so.
extern void *memcpy(void *, const void *, unsigned long), *memset(void *, int, unsigned long), *memchr(const void *, int, unsigned long);
extern int memcmp(const void *, const void *, unsigned long), snprintf(char *, unsigned long, const char *, ...);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    char block[4] = "abc", copy[4] = {0};
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 4)
        return 0;
    memcpy(copy + n, block, 4 - n);
    memset(copy + 4, 1, 0);
    if (memcmp(copy + 4, block + 4, 0) != 0 || memchr(block + 4, 0, 0) != 0)
        return 1;
    return snprintf(0, 0, "%d", 7);
}
