//@ check
//@ verdict true
extern void reach_error(void);
static int n, m = 3;
static int next(void) { return ++n; }
static int same(int x) { return x; }
static int (*const table[3])(int) = {0, same, same};
int main(void)
{
    int first = table[next()](m), second = table[next()](n);
    if (first != 3 || second < 1 || second > 2)
        reach_error();
    return 0;
}
