// A mask of n bits, for n equal to the width.
unsigned mask(int n)
{
    return (1u << n) - 1; //~ arith.shift
}

int main(void)
{
    return mask(5) == 31 ? (int)mask(32) : 1;
}
