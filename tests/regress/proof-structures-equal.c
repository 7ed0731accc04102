//@ check --function harness --property user.assert
//@ verdict true
struct part { short s; char flag : 3; };
struct whole { struct part parts[2]; void *p; long n; };
void harness(void) {
    struct whole a, b, *q = &b;
    b = a;
    __CPROVER_assert(a == b, "a copy is the same");
    q->parts[1].s ^= 1;
    __CPROVER_assert(a != *q, "one bit differs");
}
