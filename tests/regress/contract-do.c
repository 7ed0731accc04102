//@ check --function count --enforce-contract count --apply-loop-contracts
//@ verdict true
/* The contract of a `do` loop can stand before its body. */
int count(int n)
__CPROVER_requires(n > 0 && n < 1000000)
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_return_value == n)
{
    int i = 0;
    do
    __CPROVER_assigns(i)
    __CPROVER_loop_invariant(0 <= i && i < n)
    {
        i++;
    } while (i < n);
    return i;
}
