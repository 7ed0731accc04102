// Large numbers within range, and an infinity that is passed on.
int main(void)
{
    double large = 1e308;
    float single = (float)1e38;
    double infinite = __builtin_inf();
    return large + 0.5e308 < 1.6e308 && single * 3.0f > 2e38f && infinite * 2.0 == infinite ? 0 : 1;
}
