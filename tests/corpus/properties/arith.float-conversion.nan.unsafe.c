// No integer is the NaN.
int main(void)
{
    double zero = 0, nan = zero / zero;
    int n = 1;
    n += nan; //~ arith.float-conversion
    return n;
}
