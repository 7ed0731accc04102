//@ check
//@ verdict false(reach.error)
extern void reach_error(void);
static int n;
static int next(void) { return ++n; }
int main(void)
{
    int a[3] = {0};
    a[next()] += n;
    if (a[1] != 0)
        reach_error();
    if (n != 1)
        reach_error();
    return 0;
}
