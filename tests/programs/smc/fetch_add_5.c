// explore sc mazurkiewicz 120
// explore sc rf 120
// explore tso mazurkiewicz 120
// explore tso rf 120
//
// Five threads count one variable up, in any order.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { THREADS = 5 };

static atomic_int x;

static void* count(void* unused) {
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, count, NULL);
  return 0;
}
