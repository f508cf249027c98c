// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// Store buffering with ordinary variables: both threads read 0 on x86.
#include <assert.h>
#include <pthread.h>

int x, y, r1, r2;

void* left(void* unused) {
  x = 1;
  r1 = y;
  return unused;
}
void* right(void* unused) {
  y = 1;
  r2 = x;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(r1 == 1 || r2 == 1);
  return 0;
}
