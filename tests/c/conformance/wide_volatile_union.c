// The same for a union that is a variable.
// expect: all safe
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
union word {
  volatile uint64_t w;
  struct {
    volatile uint32_t lo, hi;
  };
} u;
static void* writer(void* x) {
  u.w = 0x100000001ull;
  return x;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  uint32_t h = u.hi;
  uint32_t l = u.lo;
  assert(!(h == 1 && l == 0));
  pthread_join(t, 0);
  return 0;
}
