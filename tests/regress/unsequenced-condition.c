//@ check
//@ verdict true
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int i = 0, j = 0, a = __VERIFIER_nondet_int();
    int r = (a ? j++ : 0) + i;
    if (a == 0)
        r += (a ? i++ : 0) + i;
    r += a && i++ ? i : -1;
    return (a ? i : 0) + (a ? 0 : i) + r > 9;
}
