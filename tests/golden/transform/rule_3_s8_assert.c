//@ test transform --arrays
// Rule 3.S8: an assertion is looked at when all that is read for it are witnesses; two elements need two.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int cond);
int a[1000];
int main(void) {
  int i;
  for (i = 0; i < 1000; i++) a[i] = i;
  __VERIFIER_assert(a[__VERIFIER_nondet_int() & 511] >= 0);
  for (i = 1; i < 1000; i++) __VERIFIER_assert(a[i - 1] < a[i]);
  return 0;
}
