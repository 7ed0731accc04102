//@ test run same_definitions.c
// Both files define the variable and the function; the weak function gives way.
int limit = 1;

int twice(int x)
{
    return 2 * x;
}

__attribute__((weak)) int half(int x)
{
    return x / 3;
}

int main(void)
{
    return twice(limit) + half(2);
}
