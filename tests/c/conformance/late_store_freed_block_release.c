// expect: all safe
// As late_store_freed_block.c, but the second store keeps the first before it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int* block;
static atomic_int done;

static void* writer(void* unused) {
  *block = 1;
  atomic_store_explicit(&done, 1, memory_order_release);
  return unused;
}

int main(void) {
  block = malloc(sizeof *block);
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  while (!atomic_load_explicit(&done, memory_order_acquire)) continue;
  free(block);
  pthread_join(thread, NULL);
  return 0;
}
