//@ check
//@ verdict true
/* The twin: the elements are there. */
extern int __VERIFIER_nondet_int(void);
struct text { int n; char d[]; };
struct text text = {2, {'a', 'b'}};
int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 2)
        text.d[i] = 0;
    return 0;
}
