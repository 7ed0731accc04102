// An average of nothing.
int average(const int *values, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += values[i];
    return total / n; //~ arith.division-by-zero
}

int main(void)
{
    int values[] = { 3, 5 };
    return average(values, 2) == 4 ? average(values, 0) : 1;
}
