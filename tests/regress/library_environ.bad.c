//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental
extern void reach_error(void);
int main(int argc, char **argv, char **variables)
{
    (void)argc, (void)argv;
    if (variables[0] != 0)
        reach_error(); //~ reach.error
    return 0;
}
