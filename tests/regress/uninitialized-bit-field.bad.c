//@ check --property memory.uninitialized
//@ verdict false(memory.uninitialized)
/* Another field of the same byte has been written. */
struct s { int a : 3, b : 3; };
int main(void)
{
    struct s x;
    x.a = 1;
    return x.b;
}
