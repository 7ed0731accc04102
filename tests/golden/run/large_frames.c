//@ test run --memory 64
// Each call takes a megabyte of automatic storage.
static int use(int n)
{
    char buffer[1 << 20];
    buffer[n] = 1;
    return n < 1000 ? use(n + 1) + buffer[n] : 0;
}

int main(void)
{
    return use(0);
}
