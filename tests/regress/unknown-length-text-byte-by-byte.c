//@ check --property valid-memsafety --data-model LP64 --engine shapes
//@ verdict true
/* A text is copied byte by byte. */
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void *malloc(unsigned long);
extern void free(void*);
char *my_strcpy(char *d,const char *s){ char *r=d; while((*d++=*s++)); return r; }
int main(void){ int n=__VERIFIER_nondet_int(); if(n<1||n>100000) return 0; char *a=malloc(n), *b=malloc(n); for(int i=0;i<n;i++) a[i]=__VERIFIER_nondet_char(); a[n-1]=0; my_strcpy(b,a); free(a); free(b); return 0; }
