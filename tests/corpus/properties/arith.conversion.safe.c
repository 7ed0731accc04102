// Every conversion keeps its value: to wider types, within range, and to the bounds themselves.
unsigned char byte(int n)
{
    return n < 0 ? 0 : n > 255 ? 255 : (unsigned char)n;
}

int main(void)
{
    long wide = 2147483647;
    int narrow = (int)wide;
    double real = 127.9;
    signed char truncated = (signed char)real;
    unsigned positive = (unsigned)narrow;
    return byte(-5) == 0 && byte(300) == 255 && byte(77) == 77 && truncated == 127 && positive == 2147483647u ? 0 : 1;
}
