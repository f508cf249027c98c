// expect: sc unsafe race, tso unsafe race, pso unsafe
// options: --races
// message: neither happens before the other
// The flag says that the data is there, but a relaxed store and load order nothing, whatever the machine does.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;
static int seen;

static void* writer(void* unused) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  if (atomic_load_explicit(&flag, memory_order_relaxed)) seen = data;
  pthread_join(thread, NULL);
  return 0;
}
