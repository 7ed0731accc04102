//@ property: unreach-call
//@ verdict: true
//@ engines: kind portfolio
// A counter that is even in its second phase.
extern void reach_error(void);

int main(void) {
    unsigned x = 0;
    while (x < 3000000) {
        if (x < 40000)
            x++;
        else
            x += 2;
    }
    if (x != 3000000)
        reach_error();
    return 0;
}
