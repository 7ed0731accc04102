//@ check --property user.assert
//@ verdict false(user.assert)
/* A variable of a quantifier without a lower bound begins with the least value of its type. */
int main(void)
{
    unsigned char of[4] = { 0, 2, 3, 4 };
    __CPROVER_assert(__CPROVER_forall { unsigned i; i < 4 ==> of[i] != 0 }, "all");
    return 0;
}
