//@ test transform --arrays
// Rules 3.S5 to 3.S7: branches and sequences are those of the transformed parts.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int cond);
int a[1000];
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (a[n] > 0) a[n] = 0; else { a[n]--; n = a[0]; }
  if (a[n]) n++;
  return n;
}
