//@ property: termination
//@ verdict: true
//@ engines: portfolio
// A loop that only a long jump leaves.
extern int setjmp(void *);
extern void longjmp(void *, int);

int main(void) {
    long buffer[32];
    while (1) {
        if (setjmp(buffer))
            break;
        longjmp(buffer, 1);
    }
}
