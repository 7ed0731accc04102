int main(void)
{
    int a[3] = {0, 0, 0}, i = 0;
    a[i] = i++; //~ sequence.unsequenced
    return a[0];
}
