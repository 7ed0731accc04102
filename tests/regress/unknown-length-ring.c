//@ check --property valid-memsafety --data-model LP64 --engine shapes
//@ verdict true
/* A ring of unknown length. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void*);
int main(void){ int n=__VERIFIER_nondet_int(); if(n<1||n>100000) return 0; int *q=malloc(n*sizeof(int)); int h=0,t=0,c=0; while(__VERIFIER_nondet_int()){ if(__VERIFIER_nondet_int()){ if(c<n){ q[t]=1; t=(t+1)%n; c++; } } else if(c>0){ int x=q[h]; (void)x; h++; if(h==n) h=0; c--; } } free(q); return 0; }
