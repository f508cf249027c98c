// expect: all safe
// Load buffering: no model delays loads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

volatile int x, y;
int r1, r2;

void* left(void* unused) {
  r1 = x;
  y = 1;
  return unused;
}
void* right(void* unused) {
  r2 = y;
  x = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(!(r1 == 1 && r2 == 1));
  return 0;
}
