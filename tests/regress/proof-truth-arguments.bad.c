//@ check --function f --property user.assert
//@ verdict false(user.assert)
struct s { _Bool x; int y; };
int f(_Bool b, struct s s) {
    __CPROVER_assert(*(unsigned char *)&b <= 1 && *(unsigned char *)&s.x < 1, "truth values");
    return 0;
}
