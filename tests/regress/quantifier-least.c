//@ check --property user.assert
//@ verdict true
/* A variable of a quantifier without a lower bound begins with the least value of its type. */
int main(void)
{
    unsigned char of[4] = { 1, 2, 3, 4 };
    __CPROVER_assert(__CPROVER_forall { unsigned i; i < 4 ==> of[i] != 0 }, "all");
    __CPROVER_assert(__CPROVER_exists { signed char i; i < -127 && i < 0 }, "one");
    return 0;
}
