// Reading and writing a word back loses what another thread writes to one of its bytes.
// expect: all unsafe assertion
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
volatile char* p;
static void* w(void* x) {
  p[1] = 1;
  return x;
}
int main(void) {
  pthread_t t;
  p = calloc(8, 1);
  pthread_create(&t, 0, w, 0);
  *(volatile uint32_t*)p = *(volatile uint32_t*)p | 1;
  pthread_join(t, 0);
  assert(p[1] == 1);
  return 0;
}
