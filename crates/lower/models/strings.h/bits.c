/* The first set bit (POSIX). */

int ffs(int x)
{
    return __builtin_ffs(x);
}

int ffsl(long x)
{
    return __builtin_ffsl(x);
}

int ffsll(long long x)
{
    return __builtin_ffsll(x);
}
