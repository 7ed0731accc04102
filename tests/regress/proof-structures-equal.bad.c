//@ check --function harness --property user.assert
//@ verdict false(user.assert)
struct part { short s; char flag : 3; };
struct whole { struct part parts[2]; void *p; long n; };
void harness(void) {
    struct whole a, b, *q = &b;
    b = a;
    q->parts[1].flag ^= 1;
    __CPROVER_assert(a == *q, "one bit differs");
}
