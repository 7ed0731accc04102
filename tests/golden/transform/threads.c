//@ test transform --arrays
extern int pthread_create(unsigned long *, void *, void *(*)(void *), void *);
int a[9];
void *f(void *p) { a[1] = 2; return p; }
int main(void) { unsigned long t; pthread_create(&t, 0, f, 0); return a[1]; }
