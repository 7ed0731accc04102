//@ check
//@ verdict false(memory.null)
/* To find the address of a member of what a pointer points to, the pointer is read. */
struct pair { int first, second; };
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    struct pair pair, *p = &pair, **pp = __VERIFIER_nondet_int() ? &p : 0;
    &(*pp)->second;
    return 0;
}
