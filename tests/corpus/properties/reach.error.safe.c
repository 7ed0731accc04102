// The error stands behind a condition that no execution meets.
void reach_error(void);

int main(void)
{
    unsigned n = 0;
    for (int i = 0; i < 10; i++)
        n += 2;
    if (n % 2 != 0)
        reach_error();
    return 0;
}
