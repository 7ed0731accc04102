// The middle of two indices, computed as it stood in textbooks for decades.
int middle(int low, int high)
{
    return (low + high) / 2; //~ arith.signed-overflow
}

int main(void)
{
    return middle(10, 20) == 15 ? middle(1500000000, 2000000000) : 1;
}
