// The cases cover what the program uses.
static int days(int month)
{
    switch (month) {
    case 2:
        return 28;
    case 4:
        return 30;
    case 12:
        return 31;
    default:
        __builtin_unreachable();
    }
}

int main(void)
{
    return days(2) + days(4) + days(12) == 89 ? 0 : 1;
}
