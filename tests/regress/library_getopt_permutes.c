//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
// In either way, the options come before the other arguments in the end.
extern void reach_error(void); extern int getopt(int, char *const *, const char *); extern int optind;
int main(void)
{
    char *all[] = { "a", "-b", "file", 0 };
    if (getopt(3, all, "b") != 'b' || getopt(3, all, "b") != -1 || optind != 2 || all[2][0] != 'f')
        reach_error();
    return 0;
}
