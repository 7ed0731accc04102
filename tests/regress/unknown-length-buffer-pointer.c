//@ check --property valid-memsafety --data-model LP64 --engine shapes
//@ verdict true
/* A pointer goes through a buffer of unknown length up to its end. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void*);
int main(void){ int n=__VERIFIER_nondet_int(); if(n<1) return 0; int *a=malloc(n*sizeof(int)); int *q=a; int *e=a+n; while(q<e){ *q=1; q++; } free(a); return 0; }
