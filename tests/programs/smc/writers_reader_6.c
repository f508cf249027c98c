// explore sc mazurkiewicz 5040
// explore sc observers 193
// explore sc rf 7
// explore tso mazurkiewicz 5040
// explore tso rf 7
// explore sc rvf 7
// explore tso rvf 7
// explore pso rvf 7
//
// Six threads write a value of their own to one variable, and another thread reads it: 7! orders; the read takes
// the initial value or that of one write, 7; and in the latter case each other write comes before or after that
// one, 1 + 6 * 2^5.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { WRITERS = 6 };

static atomic_int x;

static void* writer(void* value) {
  atomic_store_explicit(&x, (int)(intptr_t)value, memory_order_relaxed);
  return NULL;
}

static void* reader(void* unused) {
  atomic_load_explicit(&x, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[WRITERS + 1];
  for (int i = 0; i < WRITERS; i++) pthread_create(&threads[i], NULL, writer, (void*)(intptr_t)(i + 1));
  pthread_create(&threads[WRITERS], NULL, reader, NULL);
  return 0;
}
