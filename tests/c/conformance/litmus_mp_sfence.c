// expect: all safe
// Message passing with sfence, which orders stores.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

volatile int data, flag;
int r1, r2;

void* left(void* unused) {
  data = 1;
  __asm__ volatile("sfence" ::: "memory");
  flag = 1;
  return unused;
}
void* right(void* unused) {
  r1 = flag;
  r2 = data;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(!(r1 == 1 && r2 == 0));
  return 0;
}
