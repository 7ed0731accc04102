//@ check --property reach.error
//@ verdict false(reach.error)
/* A pointer from outside may point to a variable that other files can name. */
extern void reach_error(void);
extern int *p;
int g;
int main(void)
{
    g = 0;
    *p = 1;
    if (g)
        reach_error();
    return 0;
}
