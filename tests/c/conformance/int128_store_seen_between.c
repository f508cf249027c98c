// Two loads of words are two steps, between which both can change at once.
// expect: all unsafe assertion
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
struct {
  uint64_t a, b;
} __attribute__((aligned(16))) x;
static void* w(void* v) {
  __atomic_store_n((__int128*)&x, ((__int128)1 << 64) | 1, __ATOMIC_SEQ_CST);
  return v;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  uint64_t a = *(volatile uint64_t*)&x.a, b = *(volatile uint64_t*)&x.b;
  assert(a == b);
  pthread_join(t, 0);
  return 0;
}
