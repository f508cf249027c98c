// expect: sc safe
// A ticket lock that two threads take again and again: its numbers grow for ever (until they wrap around), so that with
// --values 50 no search ends.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, now_serving;
static atomic_int inside;

static void* customer(void* unused) {
  for (;;) {
    const unsigned ticket = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load_explicit(&now_serving, memory_order_acquire) != ticket) {
    }
    assert(atomic_load_explicit(&inside, memory_order_relaxed) == 0);
    atomic_store_explicit(&inside, 1, memory_order_relaxed);
    atomic_store_explicit(&inside, 0, memory_order_relaxed);
    atomic_store_explicit(&now_serving, ticket + 1, memory_order_release);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, customer, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
