//@ check --function add --enforce-contract add
//@ verdict true
/* A check that begins in a function with a contract begins with what it requires, and ends with what it ensures. */
int calls;
int add(int x)
__CPROVER_requires(x < 100)
__CPROVER_assigns(calls)
__CPROVER_ensures(__CPROVER_return_value == x + 1)
{
    calls = 1;
    return x + 1;
}
