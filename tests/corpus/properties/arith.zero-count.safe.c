// Guarded, and functions that are defined for zero.
int width(unsigned x)
{
    return x ? 32 - __builtin_clz(x) : 0;
}

int main(void)
{
    return width(0) == 0 && width(255) == 8 && __builtin_ffs(0) == 0 && __builtin_popcount(0) == 0
            && __builtin_ctzll(1ull << 63) == 63 ? 0 : 1;
}
