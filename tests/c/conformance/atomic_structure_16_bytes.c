// Atomic structures of 16 bytes.
// expect: all safe
// compiler: -mcx16
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
struct pair {
  void* p;
  uintptr_t tag;
};
_Atomic struct pair top;
static int hits;
static void* w(void* x) {
  struct pair old = {0, 0}, new = {&hits, 1};
  if (atomic_compare_exchange_strong(&top, &old, new)) __atomic_fetch_add(&hits, 1, __ATOMIC_SEQ_CST);
  return x;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, w, 0);
  pthread_create(&b, 0, w, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  struct pair t = atomic_load(&top);
  assert(hits == 1 && t.tag == 1 && t.p == &hits);
  return 0;
}
