// The mean of an empty set.
double mean(const double *values, int n)
{
    double total = 0.0;
    for (int i = 0; i < n; i++)
        total += values[i];
    return total / n; //~ float.nan
}

int main(void)
{
    double values[] = { 1.0, 2.0 };
    return mean(values, 2) == 1.5 ? (int)mean(values, 0) : 1;
}
