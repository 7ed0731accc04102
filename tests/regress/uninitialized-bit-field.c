//@ check --property memory.uninitialized
//@ verdict unknown
/* Exactly the bits that are written count, also in copies. That it is safe is not shown yet, which engines say. */
struct s { int a : 3, b : 9, c : 20; };
int main(void)
{
    struct s x, y;
    x.a = 1;
    x.c = 3;
    y = x;
    return y.a + y.c;
}
