//@ property: termination
//@ verdict: true
//@ engines: portfolio
// Two calls, each with less than their caller has.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int fuel;
void walk(int n) {
    if (n <= 0)
        return;
    walk(n - 1);
    walk(n - 2);
}
int main(void) {
    fuel = __VERIFIER_nondet_int();
    walk(fuel);
}
