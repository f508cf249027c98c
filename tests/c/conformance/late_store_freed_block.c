// expect: sc safe, tso safe, pso unsafe memory
// The store that tells another thread to free a block reaches memory before the one into the block.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int* block;
static atomic_int done;

static void* writer(void* unused) {
  *block = 1;
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  block = malloc(sizeof *block);
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  while (!atomic_load_explicit(&done, memory_order_relaxed)) continue;
  free(block);
  pthread_join(thread, NULL);
  return 0;
}
