//@ check --function take --enforce-contract take
//@ verdict true
/* What a contract requires to be fresh is the caller's and no leak; what the function allocates is one. */
int take(int *from)
__CPROVER_requires(__CPROVER_is_fresh(from, sizeof *from))
__CPROVER_assigns()
{
    return *from;
}
