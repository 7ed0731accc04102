//@ property: memory.bounds
//@ verdict: true
//@ engines: bmc-incremental
extern char **environ;
int main(void)
{
    return environ[0] == 0 || environ[0][0] == 0;
}
