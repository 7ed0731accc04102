/* Members of packed structures are accessed wherever they lie; only pointers to them must be aligned. */
void *memset(void *, int, __typeof__(sizeof 0));
int printf(const char *, ...);
struct __attribute__((packed)) in { char c; int i; double d; };
struct __attribute__((packed)) out { char a; struct in n[3]; short s[2]; long long l; unsigned f:5; int *p; _Complex float z; };
struct plain { int x; struct { short q; long r; } y; };
struct __attribute__((packed)) holds { char a; struct plain p __attribute__((packed)); struct plain arr[2]; };
union __attribute__((packed)) u { char c; long l; };
struct __attribute__((packed)) hu { char a; union u v; long long w; float fl; long double ld; };
#pragma pack(push,1)
struct pp { char a; int b; struct plain c; };
#pragma pack(pop)
int main(void) {
  char buf[200]; memset(buf, 0, sizeof buf);
  struct out *o = (struct out *)(buf + 1);
  o->a = 1; o->n[1].i = 5; o->n[2].d = 2.5; o->s[1] = 7; o->l = 1LL << 40; o->f = 3; int k = 9; o->p = &k; __real__ o->z = 1; __imag__ o->z = 2;
  o->n[1].i += 3; o->s[1]++; o->l *= 2; *o->p = 11; o->n[0] = o->n[1];
  int i = 2; o->n[i].i = i; 
  struct in t = o->n[1]; struct out copy = *o;
  printf("%d %d %g %d %lld %d %d %g\n", o->n[1].i, t.i, copy.n[2].d, o->s[1], copy.l, k, o->n[i].i, __imag__ o->z);
  struct holds h = { 1, { 2, { 3, 4 } }, { { 5, { 6, 7 } } } };
  h.p.x++; h.p.y.r += 2; h.arr[1] = h.arr[0]; h.arr[1].y.r = 9; h.arr[i-1].y.q = 8;
  struct plain q = h.p; q.y.r++; h.p = q;
  printf("%d %ld %ld %d\n", h.p.x, h.p.y.r, h.arr[1].y.r, h.arr[1].y.q);
  struct hu w; w.v.l = 5; w.w = 6; w.fl = 1.5f; w.ld = 2.5L; w.w <<= 3; w.ld += w.fl; 
  printf("%ld %d %g %Lg\n", w.v.l, (int)w.w, w.fl, w.ld);
  struct pp x = { 1, 2, { 3, { 4, 5 } } }; struct pp arr[3] = { x, x, x }; arr[1].b = arr[2].c.y.r; arr[1].c = x.c; arr[1].c.y.r++;
  printf("%d %ld\n", arr[1].b, arr[1].c.y.r);
  struct pp *y = &arr[1]; y->b--; y->c.x = 4; printf("%d %d %zu\n", y->b, y->c.x, sizeof *y);
  return 0;
}
