//@ check --function harness --property user.assert,memory.bounds,memory.null,arith.signed-overflow
//@ verdict false(memory.bounds)
#pragma CPROVER check disable "signed-overflow"
#pragma CPROVER check disable "pointer"
#pragma CPROVER check enable "pointer"
int tail(const int *k, int n) { return (k[1] & 0) + n * n; }
void harness(void) {
    int one = 1, n;
    tail(&one, n);
}
