//@ check
//@ verdict true
// In both orders the same values arise, the last designator of an element counts, and each expression is evaluated once.
extern void reach_error(void);
static int n;
static int next(void) { return ++n; }
int main(void)
{
    int k = 0;
    int both[3] = {next(), next(), [2] = k++};
    int mixed[2] = {k, k++};
    if (both[0] + both[1] != 3 || both[2] != 0 || n != 2)
        reach_error();
    if (k != 2 || mixed[0] < 1 || mixed[0] > 2 || mixed[1] != 1)
        reach_error();
    return 0;
}
