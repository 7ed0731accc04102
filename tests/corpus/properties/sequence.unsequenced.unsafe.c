int main(void)
{
    int i = 1;
    i = i++ + 1; //~ sequence.unsequenced
    return i - 2;
}
