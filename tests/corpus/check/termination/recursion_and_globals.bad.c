//@ property: termination
//@ verdict: false
//@ engines: portfolio
// A call that returns has changed what its caller counts by.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int fuel = 2;
void walk(void) {
    if (fuel == 0) {
        fuel = 2;
        return;
    }
    fuel--;
    walk();
    walk();
}
int main(void) { walk(); }
