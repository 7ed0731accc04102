// Pointers to variables are used while these live: in their block, in called functions, and static ones always.
static int *counter(void)
{
    static int count;
    return &count;
}

static void increment(int *number)
{
    *number += 1;
}

int main(void)
{
    int *pointer;
    {
        int inner = 1;
        pointer = &inner;
        increment(pointer);
        pointer = counter();
    }
    increment(pointer);
    return *pointer == 1 ? 0 : 1;
}
