//@ property: unreach-call
//@ verdict: true
//@ engines: kind portfolio
// Elements are classified; that all are classified well is known before any is read again.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int number[4000];
unsigned char negative[4000];

int main(void) {
    for (int i = 0; i < 4000; i++)
        number[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 4000; i++) {
        if (number[i] < 0)
            negative[i] = 1;
        else
            negative[i] = 0;
    }
    int right = 1;
    for (int i = 0; i < 4000; i++)
        if ((number[i] < 0) != negative[i])
            right = 0;
    if (!right)
        reach_error();
    return 0;
}
