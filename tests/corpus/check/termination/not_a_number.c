//@ property: termination
//@ verdict: true
//@ engines: portfolio
// What is not a number has many forms, which the program tells apart.
extern void *memcpy(void *, const void *, unsigned long);

int main(void) {
    unsigned bits = 0x7fc00000;
    float x;
    memcpy(&x, &bits, 4);
    for (;;) {
        memcpy(&bits, &x, 4);
        if (bits == 0x7fc00003)
            break;
        bits++;
        memcpy(&x, &bits, 4);
    }
    return 0;
}
