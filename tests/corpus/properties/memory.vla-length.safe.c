static int sum(int n)
{
    int a[n], total = 0;
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int i = 0; i < n; i++)
        total += a[i];
    return total;
}

int main(void)
{
    return sum(1) == 0 && sum(4) == 6 ? 0 : 1;
}
