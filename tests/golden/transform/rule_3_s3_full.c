//@ test transform --arrays
// Rule 3.S3: a loop over all elements is its iteration for the witness.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int cond);
int a[1000];
int main(void) {
  int i, k;
  for (i = 0; i < 1000; i++) { k = 2 * i; a[i] = k; }
  for (i = 0; i < 1000; i++) __VERIFIER_assert(a[i] == 2 * i);
  return 0;
}
