// explore sc mazurkiewicz 98
// explore sc rf 9
// explore tso mazurkiewicz 144
// explore tso rf 9
// explore sc dc 28
// explore sc vc 7
// explore sc rvf 1
// explore tso rvf 1
// explore pso rvf 1
//
// Figure 4.1 of [Toman21]: three threads write the same value to both variables, and two of them read one back.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void write_both(void) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
}

static void* writer(void* unused) {
  write_both();
  return NULL;
}

static void* reader_of_x(void* unused) {
  write_both();
  atomic_load_explicit(&x, memory_order_relaxed);
  return NULL;
}

static void* reader_of_y(void* unused) {
  write_both();
  atomic_load_explicit(&y, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, reader_of_x, NULL);
  pthread_create(&threads[2], NULL, reader_of_y, NULL);
  return 0;
}
