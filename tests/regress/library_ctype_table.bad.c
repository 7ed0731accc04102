//@ check
//@ verdict false(reach.error)
// One of the graphic characters is neither a letter nor a digit nor below the letters.
extern int isgraph(int), isalnum(int), __VERIFIER_nondet_int(void);
void reach_error(void) { }
int main(void)
{
    int c = __VERIFIER_nondet_int();
    if (c < -1 || c > 255)
        return 0;
    if (isgraph(c) && !isalnum(c) && c > 'z')
        reach_error();
    return 0;
}
