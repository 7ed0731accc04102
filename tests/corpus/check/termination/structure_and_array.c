//@ property: termination
//@ verdict: true
//@ engines: portfolio
// The state is an element in the middle of a structure.
struct counters {
    int first, many[8];
    double weight;
} c;
int main(void) {
    struct counters *p = &c;
    c.many[5] = 6;
    c.weight = 1;
    while (p->many[5] > 0) {
        c.first = !c.first;
        c.weight = -c.weight;
        p->many[5] = p->many[5] - 1;
    }
    return c.first;
}
