// A loop that counts down past zero.
int main(void)
{
    unsigned long total = 0;
    for (unsigned i = 3; i >= 0; i--) //~ arith.unsigned-overflow
        total += i;
    return (int)total;
}
