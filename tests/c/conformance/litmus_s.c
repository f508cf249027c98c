// expect: sc safe, tso safe, pso unsafe assertion
// The shape S: only PSO lets the two stores of the first thread change places.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

volatile int x, y;
int r1, r2;

void* left(void* unused) {
  x = 2;
  y = 1;
  return unused;
}
void* right(void* unused) {
  r1 = y;
  x = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(!(r1 == 1 && x == 2));
  return 0;
}
