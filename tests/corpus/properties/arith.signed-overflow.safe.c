// The extreme values are reached but not passed; unsigned arithmetic and narrow types wrap as C defines.
#define MAX 2147483647
#define MIN (-MAX - 1)

int middle(int low, int high)
{
    return low + (high - low) / 2;
}

int main(void)
{
    int x = MAX - 1;
    x++;
    unsigned wrapped = 0u - 1u;
    signed char narrow = 127;
    narrow++;
    return middle(MAX - 2, MAX) == MAX - 1 && x == MAX && wrapped == 4294967295u && narrow == -128 && MIN / 2 == -1073741824
                   && -(MIN + 1) == MAX
               ? 0
               : 1;
}
