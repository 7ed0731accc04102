//@ test check --engine bmc-incremental
//@ test check --engine bmc-incremental --trace none
extern unsigned char __VERIFIER_nondet_uchar(void);

static int group[100];

int main(void)
{
    unsigned char first = __VERIFIER_nondet_uchar();
    unsigned char second = __VERIFIER_nondet_uchar();
    int unrelated = first + 1;
    if (first > 120 || second > 120)
        return 0;
    group[(first + second) / 2]++;
    return unrelated;
}
