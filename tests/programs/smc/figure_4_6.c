// explore sc mazurkiewicz 12
// explore sc observers 11
// explore sc rf 5
// explore pso mazurkiewicz 16
// explore pso rf 5
// explore sc dc 5
// explore sc vc 3
// explore sc rvf 2
//
// Rebuilt from the text around Figure 4.6 of [Toman21]: w1, w3 and w2, w4 write the same values; only after
// r2 there is w5, from which r1 can read, too. So r1 reads 1 or 2, two cases, and RVF-SMC visits two
// executions. There are three classes: if r2 reads from w2, r1 is causally before r2, otherwise not.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);  // w1
  atomic_load_explicit(&x, memory_order_relaxed);      // r1
  atomic_store_explicit(&y, 1, memory_order_relaxed);  // w2
  return NULL;
}

static void* second(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);  // w3
  atomic_store_explicit(&y, 1, memory_order_relaxed);  // w4
  atomic_load_explicit(&y, memory_order_relaxed);      // r2
  atomic_store_explicit(&x, 2, memory_order_relaxed);  // w5
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  return 0;
}
