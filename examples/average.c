/* A program with a mistake: ages up to 120 are accepted, but the table ends at 99. Vergo finds
   inputs that show it. */
extern unsigned char __VERIFIER_nondet_uchar(void);

static int group[100];

int main(void)
{
    unsigned char first = __VERIFIER_nondet_uchar();
    unsigned char second = __VERIFIER_nondet_uchar();
    if (first > 120 || second > 120)
        return 0;
    group[(first + second) / 2]++;
    return 0;
}
