//@ property: unreach-call
//@ verdict: false
//@ engines: portfolio sampling
// A counter that is odd in its second phase, and misses its goal.
extern void reach_error(void);

int main(void) {
    unsigned x = 0;
    while (x < 3000000) {
        if (x < 40001)
            x++;
        else
            x += 2;
    }
    if (x != 3000000)
        reach_error();
    return 0;
}
