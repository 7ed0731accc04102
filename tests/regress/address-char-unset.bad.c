//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* A pointer of unknown origin may be the address of any object. */
extern void reach_error(void);

char g[3];
int main(void)
{
    char *p;
    if (p == g + 1)
        reach_error();
    return 0;
}
