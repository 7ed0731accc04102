/* The program of average.c without its mistake: the table has a place for every average. Vergo proves that no
   access is out of bounds, that no addition overflows, and that the average lies between the two ages. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assert(int);

static int group[121];

int main(void)
{
    unsigned char first = __VERIFIER_nondet_uchar();
    unsigned char second = __VERIFIER_nondet_uchar();
    if (first > 120 || second > 120)
        return 0;
    int average = (first + second) / 2;
    __VERIFIER_assert(average >= first || average >= second);
    __VERIFIER_assert(average <= first || average <= second);
    group[average]++;
    return 0;
}
