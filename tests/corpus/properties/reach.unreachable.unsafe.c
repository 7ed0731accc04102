// A case was forgotten.
static int sign(int number)
{
    if (number < 0)
        return -1;
    if (number > 0)
        return 1;
    __builtin_unreachable(); //~ reach.unreachable
}

int main(void)
{
    return sign(5) + sign(-5) + sign(0);
}
