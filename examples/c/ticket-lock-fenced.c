// expect: all safe
// A ticket lock whose last store is a release: under PSO, too, it stays behind the critical section. Costs
// nothing on x86.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, now_serving;

static unsigned lock(void) {
  const unsigned ticket = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
  while (atomic_load_explicit(&now_serving, memory_order_acquire) != ticket) {
  }
  return ticket;
}

static void unlock(unsigned ticket) { atomic_store_explicit(&now_serving, ticket + 1, memory_order_release); }

static int balance = 10;

static void* withdraw(void* argument) {
  const unsigned ticket = lock();
  balance -= *(int*)argument;
  unlock(ticket);
  return NULL;
}

int main(void) {
  static int amounts[2] = {3, 4};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, withdraw, &amounts[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(balance == 3);
  return 0;
}
