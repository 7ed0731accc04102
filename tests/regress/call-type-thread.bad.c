//@ check --property unreach-call
//@ verdict false(unreach-call)
#include <pthread.h>
extern void reach_error(void);
int start(void) { reach_error(); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, (void *(*)(void *))start, 0); pthread_join(t, 0); return 0; }
