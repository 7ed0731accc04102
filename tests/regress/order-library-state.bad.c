//@ check --property unreach-call --engine bmc-incremental
//@ verdict false(unreach-call)
// gcc takes the right operand first, and the two numbers differ.
extern void reach_error(void); extern int rand(void); extern void srand(unsigned);
int main(void)
{
    srand(5);
    if (rand() != (srand(5), rand()))
        reach_error();
    return 0;
}
