static int x = 3;
__attribute__((returns_nonnull)) static int *get(int n)
{
    return n ? &x : 0; //~ call.nonnull
}

int main(void)
{
    return get(1) == &x ? get(0) != 0 : 1;
}
