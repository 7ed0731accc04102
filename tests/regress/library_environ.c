//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
extern char **environ;
int main(void)
{
    return environ[0] == 0 || environ[0][0] == 0;
}
