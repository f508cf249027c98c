// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// The shape R: a store, then a load, against two stores.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

volatile int x, y;
int r1, r2;

void* left(void* unused) {
  x = 1;
  y = 1;
  return unused;
}
void* right(void* unused) {
  y = 2;
  r1 = x;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(!(y == 2 && r1 == 0));
  return 0;
}
