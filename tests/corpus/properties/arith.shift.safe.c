// The greatest amounts that each type allows; the type is the promoted one.
int main(void)
{
    unsigned char small = 1;
    unsigned word = 1;
    unsigned long long wide = 1;
    int negative = -8;
    return small << 10 == 1024 && word << 31 == 0x80000000u && wide << 63 >> 63 == 1 && negative >> 1 == -4
                   && word >> 31 == 0
               ? 0
               : 1;
}
