//@ check --property unreach-call --engine bmc-incremental
//@ verdict false(unreach-call)
extern void reach_error(void);
int main(int argc, char **argv, char **variables)
{
    (void)argc, (void)argv;
    if (variables[0] != 0)
        reach_error();
    return 0;
}
