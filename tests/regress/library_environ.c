//@ check --property unreach-call --engine bmc-incremental
//@ verdict unknown
// There can be any number of variables, but there is a list.
extern void reach_error(void);
extern char **environ;
int main(void)
{
    if (environ == 0)
        reach_error();
    return 0;
}
