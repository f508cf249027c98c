// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// A thread sees its own buffered store before others do.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

volatile int x, y;
int own1, own2;
int r1, r2;

void* left(void* unused) {
  x = 1;
  own1 = x;
  r1 = y;
  return unused;
}
void* right(void* unused) {
  y = 1;
  own2 = y;
  r2 = x;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(!(own1 == 1 && own2 == 1 && r1 == 0 && r2 == 0));
  return 0;
}
