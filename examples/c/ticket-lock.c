// expect: sc safe, tso safe, pso unsafe assertion
// A ticket lock: an atomic counter hands out tickets, a plain one says who is served.
//
// Leaving is an ordinary store. x86 keeps stores in order, so whoever sees the new number sees everything
// done in the critical section. PSO does not: the number can be visible before the data.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, now_serving;

static unsigned lock(void) {
  const unsigned ticket = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
  while (atomic_load_explicit(&now_serving, memory_order_relaxed) != ticket) {
  }
  return ticket;
}

static void unlock(unsigned ticket) { atomic_store_explicit(&now_serving, ticket + 1, memory_order_relaxed); }

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
