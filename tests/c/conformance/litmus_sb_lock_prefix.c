// expect: all safe
// Locked instructions in inline assembly drain the buffer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

volatile int x, y;
int dummy;
int r1, r2;

void* left(void* unused) {
  x = 1;
  __asm__ volatile("lock; addl $0,%0" : "+m"(dummy) : : "memory", "cc");
  r1 = y;
  return unused;
}
void* right(void* unused) {
  y = 1;
  int one = 1;
  __asm__ volatile("xchgl %0,%1" : "+r"(one), "+m"(dummy) : : "memory");
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
