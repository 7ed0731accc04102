// The end of another array.
int a[4], b[4];

int main(void)
{
    int *p = a, *end = b + 4;
    return p < end; //~ pointer.unrelated
}
