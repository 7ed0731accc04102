//@ check --property valid-memsafety --data-model LP64 --engine shapes
//@ verdict true
/* A text of unknown length, and a walk to its end. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void*);
int main(void){ int n=__VERIFIER_nondet_int(); if(n<1) return 0; char *a=malloc(n); for(int i=0;i<n-1;i++) a[i]='x'; a[n-1]=0; char *p=a; while(*p) p++; free(a); return 0; }
