//@ check --function use --enforce-contract use --replace-call-with-contract make
//@ verdict false(memory.leak)
/* Fresh memory that a replaced call returns is the caller's to free. */
#include <stdlib.h>
int *make(void) __CPROVER_assigns() __CPROVER_ensures(__CPROVER_is_fresh(__CPROVER_return_value, sizeof(int)));
int use(void)
__CPROVER_assigns()
{
    int *made = make(), value = *made;
    return value;
}
