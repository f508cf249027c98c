// expect: all safe
// One variable behaves the same under every model.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

volatile int x;
int r1, r2;

void* left(void* unused) {
  x = 1;
  x = 2;
  return unused;
}
void* right(void* unused) {
  r1 = x;
  r2 = x;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(r1 <= r2 && x == 2);
  return 0;
}
