//@ check --function take --enforce-contract take
//@ verdict false(memory.leak)
/* What a contract requires to be fresh is the caller's and no leak; what the function allocates is one. */
#include <stdlib.h>
int take(int *from)
__CPROVER_requires(__CPROVER_is_fresh(from, sizeof *from))
__CPROVER_assigns()
{
    int *copy = malloc(sizeof *copy);
    if (copy == 0)
        return 0;
    *copy = *from;
    return *copy;
}
