// What the programs of this folder share: N threads that know their number, created in a loop and joined, as
// people write it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static inline int number_of(void* argument) { return (int)(intptr_t)argument; }

static inline void create_all(pthread_t* threads, int count, void* (*body)(void*)) {
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, body, (void*)(intptr_t)i);
}

static inline void join_all(pthread_t* threads, int count) {
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}

static inline void init_all(atomic_int* cells, int count, int value) {
  for (int i = 0; i < count; i++) atomic_init(&cells[i], value);
}

static inline int load(atomic_int* cell) { return atomic_load_explicit(cell, memory_order_relaxed); }
static inline void store(atomic_int* cell, int value) {
  atomic_store_explicit(cell, value, memory_order_relaxed);
}
