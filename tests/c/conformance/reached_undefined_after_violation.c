// expect: all unsafe assertion
// A violation that is found elsewhere stands, whatever some executions do that cannot be followed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void missing_function(void) __attribute__((weak));
static atomic_int turn;

static void* other(void* unused) {
  if (atomic_exchange(&turn, 1) == 0) missing_function();
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  assert(atomic_exchange(&turn, 2) != 0);
  return 0;
}
