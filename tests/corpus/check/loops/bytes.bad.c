//@ property: unreach-call
//@ verdict: false
//@ engines: kind
// A sum of bytes is at most so many times the greatest byte, of which one was forgotten.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    unsigned n = 0, sum = 0;
    while (n < 1000) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        sum += byte;
        n++;
        if (sum > 255 * n - 3)
            reach_error();
    }
    if (sum > 255000)
        reach_error();
    return 0;
}
