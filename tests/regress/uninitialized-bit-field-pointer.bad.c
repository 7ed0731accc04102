//@ check --property memory.uninitialized
//@ verdict false(memory.uninitialized)
struct s { int a : 3, b : 9, c : 20; };
int main(void)
{
    struct s x, y, *p = &y;
    x.a = 1;
    x.c = 3;
    y = x;
    return p->a + p->b;
}
