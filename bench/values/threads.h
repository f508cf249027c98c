// What the programs of this folder share: relaxed accesses, and threads that know their number.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

void __VERIFIER_assume(int condition);

static inline int load(atomic_int* variable) { return atomic_load_explicit(variable, memory_order_relaxed); }

static inline void store(atomic_int* variable, int value) {
  atomic_store_explicit(variable, value, memory_order_relaxed);
}

static inline int fetch_add(atomic_int* variable, int value) {
  return atomic_fetch_add_explicit(variable, value, memory_order_relaxed);
}

static inline int compare_exchange(atomic_int* variable, int expected, int desired) {
  return atomic_compare_exchange_strong_explicit(variable, &expected, desired, memory_order_relaxed,
                                                 memory_order_relaxed);
}

static inline pthread_t start(void* (*thread)(void*), int number) {
  pthread_t id;
  pthread_create(&id, NULL, thread, (void*)(intptr_t)number);
  return id;
}

static inline int number_of(void* argument) { return (int)(intptr_t)argument; }
