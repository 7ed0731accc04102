//@ check --function harness --remove-function-body set --property user.assert,call.no-body
//@ verdict false(user.assert)
int kept = 3;
int set(int x) { kept = 4; return x; }
void harness(void) { __CPROVER_assert(set(2) == 2, "any value is returned"); }
