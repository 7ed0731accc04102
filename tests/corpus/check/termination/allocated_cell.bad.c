//@ property: termination
//@ verdict: false
//@ engines: portfolio
// The state is in memory that was allocated.
extern void *malloc(unsigned long);

int main(void) {
    int *p = malloc(2 * sizeof(int)), turn = 0;
    p[0] = 7;
    p[1] = 3;
    while (p[1] > 0) {
        turn = !turn;
        p[1] = 4 - p[1];
    }
    return turn;
}
