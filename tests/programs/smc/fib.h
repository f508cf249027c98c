// Two threads add the variable of the other to their own, ROUNDS times; taking turns, they walk along the Fibonacci
// numbers. Meanwhile main asks whether one of the two has got to LARGEST or beyond.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int i = 1, j = 1;

static void add(atomic_int* own, atomic_int* other) {
  for (int round = 0; round < ROUNDS; round++) {
    int sum = atomic_load_explicit(own, memory_order_relaxed);
    sum += atomic_load_explicit(other, memory_order_relaxed);
    atomic_store_explicit(own, sum, memory_order_relaxed);
  }
}

static void* first(void* unused) {
  add(&i, &j);
  return NULL;
}

static void* second(void* unused) {
  add(&j, &i);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  if (atomic_load_explicit(&i, memory_order_relaxed) < LARGEST)
    atomic_load_explicit(&j, memory_order_relaxed);
  return 0;
}
