//@ check
//@ verdict false(reach.error)
// Which element is assigned may be found before or after the value is read (C17 6.5.16p3).
extern void reach_error(void);
static int n;
static int next(void) { return ++n; }
int main(void)
{
    int a[3] = {0};
    a[next()] = n;
    if (a[1] != 1)
        reach_error();
    return 0;
}
