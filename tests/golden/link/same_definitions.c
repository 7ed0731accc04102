// A companion of two_definitions.c.
int limit = 2;

int twice(int x)
{
    return x + x;
}

int half(int x)
{
    return x / 2;
}
