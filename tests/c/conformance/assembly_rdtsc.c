// The counter of cycles goes forward.
// expect: all safe
// native: 0
#include <assert.h>
#include <stdint.h>
static inline uint64_t tsc(void) {
  uint32_t lo, hi;
  __asm__ __volatile__("rdtsc" : "=a"(lo), "=d"(hi));
  return (uint64_t)hi << 32 | lo;
}
int main(void) {
  uint64_t a = tsc(), b = tsc();
  assert(b >= a);
  return 0;
}
