// explore sc mazurkiewicz 3328
// explore sc observers 3328
// explore sc rf 3328
// explore tso mazurkiewicz 3328
// explore tso rf 3328
//
// Ten threads each make one entry of an array one larger than the entry before it, while another thread looks for
// the last entry that is 0.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { WRITERS = 10 };

static atomic_int entries[WRITERS + 1];

static void* writer(void* number) {
  intptr_t own = (intptr_t)number;
  int before = atomic_load_explicit(&entries[own - 1], memory_order_relaxed);
  atomic_store_explicit(&entries[own], before + 1, memory_order_relaxed);
  return NULL;
}

static void* reader(void* unused) {
  int last = WRITERS;
  while (atomic_load_explicit(&entries[last], memory_order_relaxed) != 0) last--;
  return NULL;
}

int main(void) {
  pthread_t threads[WRITERS + 1];
  pthread_create(&threads[0], NULL, reader, NULL);
  for (int i = 1; i <= WRITERS; i++) pthread_create(&threads[i], NULL, writer, (void*)(intptr_t)i);
  return 0;
}
