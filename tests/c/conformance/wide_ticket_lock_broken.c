// A ticket lock whose ticket is taken in two steps lets two threads in.
// expect: all unsafe assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
union {
  _Atomic uint32_t both;
  struct {
    _Atomic uint16_t owner, next;
  };
} lock;
int count;
static void take(void) {
  uint32_t old = atomic_load(&lock.both);
  atomic_store_explicit(&lock.next, (uint16_t)(lock.next + 1), memory_order_relaxed);
  uint16_t mine = (uint16_t)(old >> 16);
  while (atomic_load_explicit(&lock.owner, memory_order_acquire) != mine) {
  }
}
static void give(void) {
  atomic_store_explicit(&lock.owner, (uint16_t)(lock.owner + 1), memory_order_release);
}
static void* worker(void* x) {
  take();
  count++;
  give();
  return x;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 2);
  return 0;
}
