static int sign(int x)
{
    if (x)
        return x < 0 ? -1 : 1;
}

int main(void)
{
    sign(0);
    return sign(3) - 1;
}
