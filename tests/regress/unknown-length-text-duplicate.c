//@ check --property valid-memsafety --data-model LP64 --engine shapes
//@ verdict true
/* A text of unknown length is duplicated, and read again. */
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void *malloc(unsigned long);
extern void free(void*);
extern unsigned long strlen(const char*);
extern void *memcpy(void*, const void*, unsigned long);
char *dup(const char *s){ unsigned long n=strlen(s)+1; char *d=malloc(n); if(d) memcpy(d,s,n); return d; }
int main(void){ int n=__VERIFIER_nondet_int(); if(n<1||n>1000) return 0; char *in=malloc(n); for(int i=0;i<n-1;i++) in[i]=__VERIFIER_nondet_char(); in[n-1]=0; char *d=dup(in); int c=0; for(char *p=d;*p;p++) if(*p==97) c++; free(d); free(in); return c; }
