// expect: all safe
// native: 0
// Pointers kept in integers in shared memory, exchanged atomically.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int value = 7;
static uintptr_t slot;

static void* publish(void* unused) {
  __atomic_store_n(&slot, (uintptr_t)&value | 1, __ATOMIC_RELEASE);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, publish, NULL);
  uintptr_t seen = __atomic_exchange_n(&slot, 0, __ATOMIC_ACQ_REL);
  if (seen) assert(*(int*)(seen & ~(uintptr_t)1) == 7);
  pthread_join(t, NULL);
  return 0;
}
