// The greatest of no numbers.
static int greatest(const int *numbers, int n)
{
    int result;
    for (int i = 0; i < n; i++)
        if (i == 0 || numbers[i] > result)
            result = numbers[i];
    return result; //~ memory.uninitialized
}

int main(void)
{
    int numbers[] = { 3, 9, 5 };
    return greatest(numbers, 3) == 9 ? greatest(numbers, 0) : 1;
}
