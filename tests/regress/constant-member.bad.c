//@ check
//@ verdict false(memory.read-only)
//@ check --property memory.read-only
//@ verdict false(memory.read-only)
/* A bit-field of a constant structure. */
struct s { int a : 3, b : 5; };
int main(void)
{
    const struct s x = {1, 2};
    ((struct s *)&x)->b = 3;
    return x.b;
}
