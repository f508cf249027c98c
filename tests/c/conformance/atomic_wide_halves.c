// expect: all safe
// native: 0
// A 64-bit variable is one cell: nobody sees half of a store.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static volatile uint64_t shared;

static void* writer(void* unused) {
  shared = 0xffffffffffffffffull;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  const uint64_t seen = shared;
  assert(seen == 0 || seen == UINT64_MAX);
  pthread_join(t, NULL);
  return 0;
}
