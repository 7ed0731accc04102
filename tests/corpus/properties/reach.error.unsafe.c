// The condition was meant the other way round.
void reach_error(void);

int main(void)
{
    unsigned n = 0;
    for (int i = 0; i < 10; i++)
        n += 2;
    if (n % 2 == 0)
        reach_error(); //~ reach.error
    return 0;
}
