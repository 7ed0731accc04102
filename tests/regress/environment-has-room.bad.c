//@ check
//@ verdict false(reach.error)
// A name with `=` in it is refused.
extern int setenv(const char *, const char *, int);
extern void reach_error(void);
int main(void)
{
    if (setenv("COLOUR=", "red", 1) != 0)
        reach_error();
    return 0;
}
