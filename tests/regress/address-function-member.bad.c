//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* A pointer of unknown origin may be the address of any object. */
extern void reach_error(void);

void g(void) {}
int main(void)
{
    struct { void (*p)(void); } all;
    void (*p)(void) = all.p;
    if (p == g)
        reach_error();
    return 0;
}
