static int sum(int a, int b) { return a + b; }

int main(void)
{
    int i = 1;
    int s = sum(i++, i); //~ sequence.unsequenced
    return s;
}
