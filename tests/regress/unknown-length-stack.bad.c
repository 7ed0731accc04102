//@ check --property valid-memsafety --data-model LP64
//@ verdict false(valid-deref)
/* A stack with room for as much as an input says. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void*);
struct st{int *d; int top; int cap;};
int main(void){ int n=__VERIFIER_nondet_int(); if(n<1||n>100000) return 0; struct st *s=malloc(sizeof *s); s->d=malloc(n*sizeof(int)); s->top=0; s->cap=n; while(__VERIFIER_nondet_int()){ if(__VERIFIER_nondet_int()){ if(s->top<=s->cap) s->d[s->top++]=1; } else if(s->top>0){ int x=s->d[--s->top]; (void)x; } } free(s->d); free(s); return 0; }
