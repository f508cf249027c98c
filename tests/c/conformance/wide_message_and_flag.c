// Message and flag in one word need no order.
// expect: all safe
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
struct s {
  uint32_t data, flag;
};
struct s* p;
static void* w(void* x) {
  *(volatile uint64_t*)p = 0x10000002aull;
  return x;
}
int main(void) {
  pthread_t t;
  p = calloc(1, sizeof *p);
  pthread_create(&t, 0, w, 0);
  if (*(volatile uint32_t*)&p->flag) assert(*(volatile uint32_t*)&p->data == 42);
  pthread_join(t, 0);
  free(p);
  return 0;
}
