//@ check
//@ verdict false(reach.error)
// The function may be chosen before or after the arguments are read (C17 6.5.2.2p10).
extern void reach_error(void);
static int n;
static int next(void) { return ++n; }
static int same(int x) { return x; }
static int (*const table[2])(int) = {0, same};
int main(void)
{
    if (table[next()](n) != 1)
        reach_error();
    return 0;
}
