static int sign(int x)
{
    if (x)
        return x < 0 ? -1 : 1;
}

int main(void)
{
    return sign(0); //~ call.no-value
}
