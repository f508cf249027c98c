// expect: all unsafe race
// options: --races
// Releasing is not enough: who reads the flag must acquire.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;
static int seen;

static void* writer(void* unused) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  if (atomic_load_explicit(&flag, memory_order_relaxed)) seen = data;
  pthread_join(thread, NULL);
  return 0;
}
