//@ test transform --arrays
// Rule 3.S4: any other loop is its iterations that can access a witness; strides, and a flag that the loop may set.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int cond);
int a[1000];
int main(void) {
  int i, found = 0;
  for (i = 1; i < 999; i += 3) {
    if (a[i] == 7) { found = 1; break; }
    a[i + 1] = i;
  }
  if (found) __VERIFIER_assert(a[i] == 7);
  return 0;
}
