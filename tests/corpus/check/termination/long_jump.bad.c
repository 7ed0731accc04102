//@ property: termination
//@ verdict: false
//@ engines: portfolio
// An endless loop that no loop of the text shows.
extern int setjmp(void *);
extern void longjmp(void *, int);

int main(void) {
    long buffer[32];
    int n = 0;
    if (setjmp(buffer))
        n ^= 1;
    longjmp(buffer, 1);
}
