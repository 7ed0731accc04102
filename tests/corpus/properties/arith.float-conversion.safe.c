// Truncation brings these into range, to the bounds themselves.
int main(void)
{
    double low = -128.9, high = 127.9, most = 4294967295.5;
    float minus = -0.5f;
    signed char a = (signed char)low, b = (signed char)high;
    unsigned c = (unsigned)most, d = (unsigned)minus;
    double big = 1e30;
    int kept = big < 1e9 ? (int)big : -1;
    return a == -128 && b == 127 && c == 4294967295u && d == 0 && kept == -1 ? 0 : 1;
}
