//@ check
//@ verdict true
// The same with a pointer to an object, also to its end.
extern void *memmove(void *, const void *, unsigned long);
extern void *memset(void *, int, unsigned long);
int main(void)
{
    int block[2] = {1, 2}, *p = block;
    memmove(p + 2, p, sizeof(int) * 0);
    memset(p + 2, 0, 0);
    return block[0] + block[1] - 3;
}
