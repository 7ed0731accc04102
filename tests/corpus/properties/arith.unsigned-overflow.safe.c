// Unsigned arithmetic that stays in range, up to its ends.
unsigned difference(unsigned a, unsigned b)
{
    return a > b ? a - b : b - a;
}

int main(void)
{
    unsigned greatest = 4294967295u;
    return difference(3, 5) == 2 && greatest - greatest == 0 && greatest / 2 + greatest / 2 + 1 == greatest ? 0 : 1;
}
