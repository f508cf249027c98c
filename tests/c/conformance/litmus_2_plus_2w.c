// expect: sc safe, tso safe, pso unsafe assertion
// Two writes each, in opposite order: only PSO ends with both first values.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

volatile int x, y;
int r1, r2;

void* left(void* unused) {
  x = 1;
  y = 2;
  return unused;
}
void* right(void* unused) {
  y = 1;
  x = 2;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(!(x == 1 && y == 1));
  return 0;
}
