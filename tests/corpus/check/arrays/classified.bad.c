//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental portfolio
// Elements are classified, but not all of them well.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int number[4];
unsigned char negative[4];

int main(void) {
    for (int i = 0; i < 4; i++)
        number[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 4; i++) {
        if (number[i] < 0)
            negative[i] = 1;
        else
            negative[i] = number[i] == 0;
    }
    int right = 1;
    for (int i = 0; i < 4; i++)
        if ((number[i] < 0) != negative[i])
            right = 0;
    if (!right)
        reach_error();
    return 0;
}
