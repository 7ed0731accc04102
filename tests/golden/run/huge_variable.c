//@ test run
// A variable that no machine holds.
static char table[1ul << 60];

int main(void)
{
    table[1] = 1;
    return table[1];
}
