//@ check --property no-data-race
//@ verdict unknown
#include <pthread.h>
int g;
pthread_key_t k;
static void count(void *p) { g++; }
static void *run(void *p) { pthread_setspecific(k, &k); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_key_create(&k, count);
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  return 0;
}
