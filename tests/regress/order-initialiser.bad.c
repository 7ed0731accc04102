//@ check
//@ verdict false(reach.error)
//@ check --property unreach-call
//@ verdict false(unreach-call)
// The expressions of an initialiser are evaluated in any order (C17 6.7.9p23).
extern void reach_error(void);
static int n;
static int next(void) { return ++n; }
static int last(void) { return n; }
int main(void)
{
    int both[2] = {next(), last()};
    if (both[1] != 1)
        reach_error();
    return 0;
}
