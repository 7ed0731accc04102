//@ check --property valid-memsafety --data-model LP64
//@ verdict false(valid-deref)
/* Nodes of a list that share a text. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void*);
struct node { struct node *next; char *name; };
int main(void){ struct node *l=0; int n=__VERIFIER_nondet_int(); if(n<1||n>100) return 0; char *buf=malloc(n); buf[n-1]=0; for(int i=0;i<n;i++) buf[i]=65; while(__VERIFIER_nondet_int()){ struct node *x=malloc(sizeof *x); x->name=buf; x->next=l; l=x; } for(struct node *p=l;p;p=p->next){ char *s=p->name; while(*s) s++; } while(l){ struct node *t=l->next; free(l); l=t; } free(buf); return 0; }
