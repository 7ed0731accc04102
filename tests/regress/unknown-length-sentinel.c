//@ check --property valid-memsafety --data-model LP64 --engine shapes
//@ verdict true
/* Numbers of unknown count with a zero behind them. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void*);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void){ int n=__VERIFIER_nondet_int(); if(n<0||n>100000) return 0; int *a=malloc((n+1)*sizeof(int)); for(int i=0;i<n;i++) a[i]=__VERIFIER_nondet_int(); a[n]=0; int *p=a; while(*p!=0) p++; if(p-a>n) reach_error(); free(a); return 0; }
