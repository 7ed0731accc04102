//@ check --property valid-memsafety --data-model LP64 --engine shapes
//@ verdict true
/* A text is cut in two where a character is. */
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void *malloc(unsigned long);
extern void free(void*);
extern char *strcpy(char*, const char*);
extern char *strchr(const char*, int);
int main(void){ int n=__VERIFIER_nondet_int(); if(n<1||n>100000) return 0; char *s=malloc(n); for(int i=0;i<n-1;i++) s[i]=__VERIFIER_nondet_char(); s[n-1]=0; char *c=strchr(s,'='); if(c){ *c=0; char *k=malloc(c-s+1); strcpy(k,s); free(k);} free(s); return 0; }
