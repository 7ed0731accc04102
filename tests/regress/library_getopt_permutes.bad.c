//@ check --property unreach-call --engine bmc-incremental
//@ verdict false(unreach-call)
// GNU's `getopt` finds options behind other arguments.
extern void reach_error(void); extern int getopt(int, char *const *, const char *); extern int optind;
int main(void)
{
    char *all[] = { "a", "file", "-b", 0 };
    if (getopt(3, all, "b") == 'b')
        reach_error();
    return 0;
}
