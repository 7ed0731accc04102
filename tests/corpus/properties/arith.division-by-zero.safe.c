// Division is guarded, also where the guard and the division stand in one expression. Floats may be divided by zero.
int average(int total, int n)
{
    return n != 0 ? total / n : 0;
}

int main(void)
{
    int n = 0;
    double infinite = 1.0 / n;
    int divides = n != 0 && 7 % n == 0;
    return average(10, 0) == 0 && average(-7, 2) == -3 && infinite > 1e300 && !divides ? 0 : 1;
}
