// Infinities that do not meet, and a NaN that comes in from outside and is only passed on.
double ratio(double a, double b)
{
    return b == 0.0 ? 0.0 : a / b;
}

int main(void)
{
    double infinite = 1e308 * 10.0;
    double nan = __builtin_nan("");
    double passed = nan + 1.0;
    return ratio(0.0, 0.0) == 0.0 && infinite + infinite > 1e308 && passed != passed ? 0 : 1;
}
