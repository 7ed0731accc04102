//@ property: unreach-call
//@ verdict: false
//@ engines: kind
// What elements add up to, before and after each of them has become more by one, miscounted.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int elements[1000];

int main(void) {
    int n = __VERIFIER_nondet_int(), sum = 0;
    if (n < 2 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++)
        elements[i] = __VERIFIER_nondet_int() & 255;
    for (int i = 0; i < n; i++)
        sum += elements[i];
    for (int i = 0; i < n; i++)
        elements[i]++;
    for (int i = 0; i < n; i++)
        sum -= elements[i];
    if (sum != 1 - n)
        reach_error();
    return 0;
}
