//@ check
//@ verdict true
extern void reach_error(void);
static int n, m = 5;
static int next(void) { return ++n; }
int main(void)
{
    int a[4] = {0};
    a[next()] = m;
    a[next()] += n;
    a[next()] = n;
    if (a[1] != 5 || a[2] < 1 || a[2] > 2 || a[3] < 2 || a[3] > 3)
        reach_error();
    return 0;
}
