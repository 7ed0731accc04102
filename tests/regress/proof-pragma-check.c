//@ check --function harness --property user.assert,memory.bounds,memory.null
//@ verdict true
//@ assumed memory.bounds
int tail(const int *k) {
    int sum = 0;
#pragma CPROVER check push
#pragma CPROVER check disable "pointer"
    sum = k[1] & 0;
#pragma CPROVER check pop
    return sum;
}
void harness(void) {
    int one = 1;
    __CPROVER_assert(tail(&one) == 0, "masked");
}
