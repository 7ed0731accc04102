int lowest(unsigned long x)
{
    return __builtin_ctzl(x); //~ arith.zero-count
}

int main(void)
{
    return lowest(8) == 3 ? lowest(8 & 7) : 1;
}
