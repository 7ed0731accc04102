//@ test transform --arrays
// Rules 3.S1 and 3.S2: what is written to an element goes to the witness, or nowhere; variables are written as ever.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int cond);
struct point { int x, y; } a[1000];
int main(void) {
  int n = __VERIFIER_nondet_int(), m;
  m = n + 1;
  a[n].x = m;
  a[m].y += 2;
  return 0;
}
