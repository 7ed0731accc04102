//@ test run
// A function that nobody defines.
int elsewhere(int x);

static int twice(int x)
{
    return elsewhere(x) + elsewhere(x);
}

int main(void)
{
    return twice(2);
}
