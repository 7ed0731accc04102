//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
extern void reach_error(void); extern int rand(void); extern void srand(unsigned);
int main(void)
{
    srand(5);
    int first = rand();
    srand(5);
    if (first != rand())
        reach_error();
    return 0;
}
