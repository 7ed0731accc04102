//@ check --property valid-memsafety --data-model LP64
//@ verdict false(valid-deref)
/* A pointer goes back to the beginning of a text. */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void *malloc(unsigned long);
extern void free(void*);
int main(void){ unsigned n=__VERIFIER_nondet_uint(); char *a=malloc((unsigned long)n+1); unsigned i=0; while(i<n && __VERIFIER_nondet_int()) a[i++]='b'; a[i]=0; char *p=a+i; while(p>=a){ p--; if(*p=='c') break; } free(a); return 0; }
