static int first(const int *a, const int *b) __attribute__((nonnull(2)));
static int first(const int *a, const int *b) { return *a + (b != 0); }

int main(void)
{
    int x = 0, *none = 0;
    return first(&x, none); //~ call.nonnull
}
