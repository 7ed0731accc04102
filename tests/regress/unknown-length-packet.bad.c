//@ check --property valid-memsafety --data-model LP64
//@ verdict false(valid-deref)
/* An object with a header and bytes behind it, as many as the header says. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void *malloc(unsigned long);
extern void free(void*);
struct pkt { unsigned len; char body[]; };
int main(void){ unsigned n=__VERIFIER_nondet_uint(); if(n>4096) return 0; struct pkt *p=malloc(sizeof(struct pkt)+n); p->len=n; for(unsigned i=0;i<=p->len;i++) p->body[i]=1; free(p); return 0; }
