// Compare-exchange of numbers of 128 bits.
// expect: all safe
// compiler: -mcx16
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
__int128 word __attribute__((aligned(16)));
static int hits;
static void* w(void* x) {
  __int128 new = ((__int128)1 << 64) | 5;
  if (__sync_bool_compare_and_swap(&word, (__int128)0, new)) __atomic_fetch_add(&hits, 1, __ATOMIC_SEQ_CST);
  return x;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, w, 0);
  pthread_create(&b, 0, w, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(hits == 1 && (uint64_t)(word >> 64) == 1);
  return 0;
}
