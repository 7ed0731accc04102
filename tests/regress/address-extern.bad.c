//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* A pointer that another file sets may point here. */
extern void reach_error(void);

int g;
extern int *p;
int main(void)
{
    if (p == &g)
        reach_error();
    return 0;
}
