//@ check --property valid-memsafety --data-model LP64 --engine shapes
//@ verdict true
/* A text of unknown length is reversed. */
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void *malloc(unsigned long);
extern void free(void*);
extern unsigned long strlen(const char*);
char *rev(char *s){ unsigned long n=strlen(s); char *d=malloc(n+1); for(unsigned long i=0;i<n;i++) d[n-1-i]=s[i]; d[n]=0; return d; }
int main(void){ int n=__VERIFIER_nondet_int(); if(n<1) return 0; char *a=malloc(n); for(int i=0;i<n;i++) a[i]=__VERIFIER_nondet_char(); a[n-1]=0; char *r=rev(a); free(r); free(a); return 0; }
