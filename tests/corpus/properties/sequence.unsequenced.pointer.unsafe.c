static int twice(int *p, int *q)
{
    return (*p)++ + (*q)++; //~ sequence.unsequenced
}

int main(void)
{
    int x = 1, y = 2;
    return twice(&x, &y) == 3 ? twice(&x, &x) : 1;
}
