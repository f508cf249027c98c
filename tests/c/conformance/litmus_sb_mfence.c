// expect: all safe
// Store buffering, repaired by mfence in inline assembly.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

volatile int x, y;
int r1, r2;

void* left(void* unused) {
  x = 1;
  __asm__ volatile("mfence" ::: "memory");
  r1 = y;
  return unused;
}
void* right(void* unused) {
  y = 1;
  asm volatile("mfence" : : : "memory");
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
