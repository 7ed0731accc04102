//@ test transform --arrays
// Rules 3.E1 to 3.E3 and 3.P: an element is the witness or anything; operations and variables stay.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int cond);
int a[1000];
int main(void) {
  int n = __VERIFIER_nondet_int();
  int x = 2 * a[n] + n;
  return x;
}
