//@ test transform --arrays
// Arrays from malloc, passed to a function; while, do and two dimensions.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int cond);
extern void *malloc(unsigned long);
int grid[30][40];
void fill(int *p, int n, int v) { int i = 0; while (i < n) { p[i] = v; i++; } }
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, j;
  int *p = malloc(n * sizeof(int));
  fill(p, n, 3);
  do { for (j = 0; j < 40; j++) grid[i][j] = j; i++; } while (i < 30);
  __VERIFIER_assert(n <= 5 || p[5] == 3);
  return 0;
}
