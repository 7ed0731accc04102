//@ test run
//@ test run --seed 1
static int element(const int *a, int i)
{
    return a[i];
}

int main(void)
{
    int a[4] = { 1, 2, 3, 4 };
    int sum = 0;
    for (int i = 0; i <= 4; i++)
        sum += element(a, i);
    return sum;
}
