// 2147483648 is one too many.
int main(void)
{
    double high = 2147483647.0;
    int fits = (int)high;
    high += 1;
    return fits + (int)high; //~ arith.float-conversion
}
