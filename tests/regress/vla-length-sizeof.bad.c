//@ check
//@ verdict false(memory.vla-length)
/* The length of an array type that is only named has to be positive too. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 8 && sizeof(int[n]) == 4;
}
