//@ check --function harness --remove-function-body set --property user.assert,call.no-body
//@ verdict true
//@ assumed removed-body
int kept = 3;
int set(int x) { kept = 4; return x; }
void harness(void) {
    int r = set(2);
    __CPROVER_assert(kept == 3, "without a body nothing is changed");
}
