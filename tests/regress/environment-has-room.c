//@ check
//@ verdict true
// Where allocation succeeds, there is room for a variable of the environment.
extern int setenv(const char *, const char *, int);
extern char *getenv(const char *);
extern void reach_error(void);
int main(void)
{
    if (setenv("COLOUR", "red", 1) != 0 || getenv("COLOUR")[0] != 'r')
        reach_error();
    return 0;
}
