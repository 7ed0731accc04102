//@ check --property valid-memsafety --data-model LP64
//@ verdict false(valid-deref)
/* A buffer whose length is an input, filled by index. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void*);
int main(void){ int n=__VERIFIER_nondet_int(); if(n<1) return 0; int *a=malloc(n*sizeof(int)); for(int i=0;i<=n;i++) a[i]=0; free(a); return 0; }
