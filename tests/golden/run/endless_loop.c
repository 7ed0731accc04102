//@ test run --steps 100000
int main(void)
{
    volatile unsigned n = 0;
    for (;;)
        n++;
}
