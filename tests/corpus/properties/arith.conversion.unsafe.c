// The sum of two bytes does not fit a byte.
unsigned char sum(unsigned char a, unsigned char b)
{
    int total = a + b;
    return (unsigned char)total; //~ arith.conversion
}

int main(void)
{
    return sum(100, 155) == 255 ? sum(100, 156) : 1;
}
