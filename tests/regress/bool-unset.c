//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
/* A `_Bool` is 0 or 1, whatever its byte is. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int main(void)
{
    _Bool b;
    struct { _Bool b, c[2]; } s;
    int n = b, i = __VERIFIER_nondet_int() & 1;
    check((n == 0 || n == 1) && s.b <= 1 && s.c[i] <= 1);
    return 0;
}
