//@ check --property reach.error
//@ verdict true
/* The twin: no other file can name the variable, and nobody gives its address away. */
extern void reach_error(void);
extern int *p;
static int g;
int main(void)
{
    g = 0;
    *p = 1;
    if (g)
        reach_error();
    return 0;
}
