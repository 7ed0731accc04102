//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* A pointer of unknown origin may be the address of any object. */
extern void reach_error(void);

struct s { int a; char b; } g;
int main(void)
{
    struct s *p;
    if (p == &g)
        reach_error();
    return 0;
}
