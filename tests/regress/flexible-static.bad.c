//@ check
//@ verdict false(memory.bounds)
/* A static object with a flexible array member ends behind the elements that its initialiser has: nothing fills it up. */
extern int __VERIFIER_nondet_int(void);
struct text { int n; char d[]; };
struct text text = {2, {'a', 'b'}};
int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i <= 2)
        text.d[i] = 0;
    return 0;
}
