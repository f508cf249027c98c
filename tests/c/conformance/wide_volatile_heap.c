// Volatile accesses happen as they are written: a word on the heap is written in one step.
// expect: all safe
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
union word {
  volatile uint64_t w;
  struct {
    volatile uint32_t lo, hi;
  };
};
union word* u;
static void* writer(void* x) {
  u->w = 0x100000001ull;
  return x;
}
int main(void) {
  pthread_t t;
  u = calloc(1, sizeof *u);
  pthread_create(&t, 0, writer, 0);
  uint32_t h = u->hi;
  uint32_t l = u->lo;
  assert(!(h == 1 && l == 0));
  pthread_join(t, 0);
  free(u);
  return 0;
}
