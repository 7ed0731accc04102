static int size(int n)
{
    char a[n]; //~ memory.vla-length
    return sizeof a;
}

int main(void)
{
    return size(3) == 3 ? size(0) : 1;
}
