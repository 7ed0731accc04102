// Null where it is allowed.
static int first(const int *a, const int *b) __attribute__((nonnull(1)));
static int first(const int *a, const int *b) { return b ? *b : *a; }
static int x = 3;
__attribute__((returns_nonnull)) static int *get(void) { return &x; }

int main(void)
{
    return first(get(), 0) == 3 ? 0 : 1;
}
