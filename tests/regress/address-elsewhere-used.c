//@ check
//@ verdict unknown
/* How many elements there are is not known. */
extern int a[];
int main(void)
{
    int *p = a;
    return p[1];
}
