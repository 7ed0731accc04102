//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental
// GNU's `getopt` finds options behind other arguments.
extern void reach_error(void); extern int getopt(int, char *const *, const char *); extern int optind;
int main(void)
{
    char *all[] = { "a", "file", "-b", 0 };
    if (getopt(3, all, "b") == 'b')
        reach_error(); //~ reach.error
    return 0;
}
