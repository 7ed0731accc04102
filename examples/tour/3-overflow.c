/* Lesson 3: what C leaves undefined is checked without being asked for.
   vergo check 3-overflow.c
   The mean of two numbers overflows although the mean itself fits. */
extern int nondet_int(void);

static int mean(int a, int b)
{
    return (a + b) / 2;
}

int main(void)
{
    int a = nondet_int(), b = nondet_int();
    if (a < 0 || b < 0)
        return 0;
    return mean(a, b) >= 0;
}
