//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* A pointer of unknown origin may be the address of any object. */
extern void reach_error(void);

int g;
int main(void)
{
    struct { int *p; } all;
    int *p = all.p;
    if (p == &g)
        reach_error();
    return 0;
}
