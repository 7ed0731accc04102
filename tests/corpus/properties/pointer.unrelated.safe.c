// The end of the same array.
int a[4];

int main(void)
{
    int *p = a, *end = a + 4;
    int n = 0;
    while (p < end)
        p++, n++;
    return n - (int)(end - a);
}
