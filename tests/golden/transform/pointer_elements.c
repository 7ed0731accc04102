//@ test transform --arrays
// Pointers that are only copied and compared are elements; the structure has no tag.
extern void *malloc(unsigned long);
extern void __VERIFIER_assert(int cond);
typedef struct { int *p; } S;
S a[1000];
int main(void) {
  int i;
  for (i = 0; i < 1000; i++) a[i].p = malloc(4);
  for (i = 0; i < 1000; i++) __VERIFIER_assert(a[i].p != 0);
  return 0;
}
